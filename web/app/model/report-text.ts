import { bilingual } from '../messages/bilingual.js';

export const reportText = bilingual(
  {
    title: 'Positions in this model',
    layers: 'Layers',
    factHeads: ['fact', 'value'],
    parameters: 'Parameters',
    parameterHeads: ['parameter', 'value'],
    wavelengths: 'Wavelengths',
    pairHeads: ['pair', 'frequency divided by', 'wavelength before, tokens', 'wavelength, tokens'],
    settings: 'The same setting elsewhere',
    inexpressible: (what: string) => `This program has no words for ${what}.`,
    findings: 'Findings',
    source: 'Computed by posenc in the browser. Nothing was sent anywhere.',
  },
  {
    title: '这个模型怎样处理位置',
    layers: '层',
    factHeads: ['项目', '值'],
    parameters: '参数',
    parameterHeads: ['参数', '值'],
    wavelengths: '波长',
    pairHeads: ['对', '频率除以', '原波长（词元）', '现波长（词元）'],
    settings: '同一设置的其他写法',
    inexpressible: (what) => `这个程序写不出 ${what}。`,
    findings: '发现',
    source: '由 posenc 在浏览器中算出，内容没有发往任何地方。',
  },
);
