import { html } from 'lit';
import { bilingual } from '../messages/bilingual.js';

/** What stands before the section's code has arrived. */
export const checkText = bilingual(
  {
    name: 'Check my model',
    title: html`Paste a config and read what it really does.`,
    lead: html`Which pairs of a head keep their frequency, which turn slower, what the settings leave open or
    contradict, and how the same is written for another program. Nothing is sent anywhere.`,
    unreachable: 'This part of the page could not be loaded.',
    again: 'Load it again',
  },
  {
    name: '检查我的模型',
    title: html`贴上配置，<wbr />看它究竟做了什么。`,
    lead: '一个头里哪些对频率不变、哪些转得更慢，设置里有哪些遗漏和矛盾，同一设置在别的程序里怎么写。内容不会发往任何地方。',
    unreachable: '页面的这一部分没能加载。',
    again: '重新加载',
  },
);
