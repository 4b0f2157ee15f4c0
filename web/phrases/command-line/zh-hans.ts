import { sentence } from '../errors/zh-hans.js';
import { cut, nameOf } from '../shown.js';
import { widthOf, zonesOf, type CommandLineBook } from './en.js';

export const commandLine: CommandLineBook = {
  note: '说明：',
  usage: {
    command: ({ choices, value }) =>
      `命令须为下列之一：${choices.join('、')}${value === undefined ? '' : `，而不是 ${cut(value)}`}。`,
    choice: ({ option, choices, value }) =>
      `${option} 须为下列之一：${choices.map(nameOf).join('、')}，而不是 ${cut(value)}。`,
    'one-file': ({ words }) => `一次只读一个文件：${cut(words.join(' '), 120)} 是什么？`,
    'file-or-flags': () => '文件与 --flags 只能给一个。',
    belongs: ({ option, owners, command }) => `--${option} 只用于 ${owners.join('、')}，不用于 ${command}。`,
    'needs-target': () => 'plan 需要 --target N。',
    'needs-to': ({ choices }) => `convert 需要 --to，可取 ${choices.join('、')}。`,
    tokens: ({ option, value }) => `${option} 须为 1 到 2147483647 的整数（词元数），而不是 ${cut(value)}。`,
    option: ({ name, unknown }) => (unknown ? `不认识的选项 ${cut(name)}。` : `选项 ${cut(name)} 的值缺失或多余。`),
    'in-file': ({ file, error }) => `${cut(file, 200)}：${sentence(error)}`,
    'too-long-text': ({ path }) => `${cut(path, 200)} 既不是 GGUF 文件，作为配置文本又太长。`,
    'empty-folder': ({ path }) => `文件夹 ${cut(path, 200)} 中没有 config.json。`,
    'no-config': () => '这里没有 config.json：请给出文件名，或查看 posenc --help。',
    'no-file': ({ path }) => `没有文件 ${cut(path, 200)}。`,
    'too-long-input': () => '标准输入太长：请改为给出文件名。',
    'no-rope': ({ encoding }) => `模型没有旋转位置编码：它的位置编码是 ${encoding}。`,
  },
  zones: { kept: '不变', blended: '过渡', scaled: '缩放' },
  layer: (of) => [
    `${nameOf(of.name)}：头宽 ${widthOf(of)}，${of.pairs} 对（${of.pairing}），底数 ${of.base}，${of.scaling}`,
    `  各对：${zonesOf(of, commandLine)}`,
    `  一圈为 ${of.shortest} … ${of.longest} 个词元${of.turning === undefined ? '' : `；${of.pairs} 对中有 ${of.turning} 对在 ${of.trained} 个词元内转满一圈`}`,
    `  注意力系数 ${of.attentionFactor}，softmax 系数 ${of.softmaxFactor}，距离小于 100 时的变化：${of.shortChange}`,
  ],
};
