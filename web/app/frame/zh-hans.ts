import { html } from 'lit';
import type { Translation } from '../texts/translation.js';
import type * as en from './en.js';

export const page: Translation<typeof en.page> = {
  header: {
    home: 'posenc，回到页首',
    contents: '目录',
    language: '语言',
    theme: { system: '跟随系统主题', light: '浅色主题', dark: '深色主题' },
  },
  contents: {
    label: '目录',
    close: '关闭',
    groups: { add: '把位置加进去', rotate: '改成旋转', real: '真实模型里' },
    holds: '成立',
    fails: '不成立',
    link: '联动所有图',
    linkNote: '模型、底数、宽度和词元一起变',
  },
  figure: {
    lookFor: '看什么',
    stopsWhen: '何时不成立',
    viewAsTable: '以表格查看',
    hideTable: '收起表格',
    copyLink: '复制链接',
    export: '导出',
    exports: {
      png: '图片，PNG 2×',
      svg: '图片，SVG',
      csv: '表格，CSV',
      npy: '数组，NPY',
      numpy: 'NumPy 脚本',
      markdown: '表格，Markdown',
    },
    reset: '重置',
    controls: '控件',
    closeControls: '收起控件',
    waiting: '等待引擎。',
    refused: '未计算：引擎没有运行。',
    error: (message) => `引擎报错：${message}`,
  },
  link: {
    refused: (reasons) => `没有采用链接里的设置，本图保持原状：${reasons}`,
    choice: (name, values, got) => `${name} 须为下列之一：${values}；收到的是 ${got}。`,
    impossible: (name, got) => `${name} 不能是 ${got}。`,
    unknown: (name) => `这里没有 ${name} 这一项。`,
    together: '这几个值不能并用。',
    space: '',
    unreadable: '地址里的链接无法读取，各图都没有采用它。',
    noSuchFigure: (names) => `链接还提到本页没有的内容：${names}。`,
  },
  copy: {
    copied: '已复制',
    byHand: '浏览器不允许写入剪贴板，请复制这一行',
  },
  slider: {
    log: (label) => `${label}（对数）`,
    whole: (field, from, to, got) => `${field}须为 ${from} 到 ${to} 之间的整数，收到的是 ${got}。`,
    even: (field, from, to, got) => `${field}须为 ${from} 到 ${to} 之间的偶数，收到的是 ${got}。`,
    inSteps: (field, from, to, got, step) =>
      `${field}须为 ${from} 到 ${to} 之间以 ${step} 为步长的数，收到的是 ${got}。`,
    nothing: '空白',
  },
  chips: {
    place: (place, count) => `第 ${place} 位，共 ${count} 位；方向键可移动`,
  },
  play: { play: '播放', stop: '停止', step: '走一步' },
  proof: {
    states: { holds: '成立', fails: '不成立', 'not-applicable': '不适用', computing: '计算中' },
    gauge: (residual, tolerance) => `残差 ${residual}，容差 ${tolerance}`,
    derivation: '容差从何而来',
  },
  table: {
    label: (name) => `${name}（表格）`,
  },
  encodings: {
    title: 'posenc 能计算的全部编码',
    lead: (count) => `文献与真实模型中的 ${count} 种编码，每一种都是绘制本页的模块里的函数。`,
    formula: (title) => `公式：${title}`,
    noPaper: '没有论文：最直接的基线。',
  },
  refused: html`此浏览器不支持 WebAssembly SIMD，所有图都需要它（Chrome 91、Firefox 89、Safari 16.4 及以上可用）。`,
  unreachable: (reason) => `引擎无法加载，所有图都没有计算：${reason}`,
  footer: {
    held: (holding, settled) => html`本机上 <b>${settled}</b> 条结论中 <b>${holding}</b> 条成立。`,
    checking: '正在本机上检验各条结论。',
    unchecked: '本机上没有检验任何结论。',
    engine: (version, variant) => `posenc ${version}，WebAssembly（${variant}）`,
    engineWaiting: (version) => `posenc ${version}`,
    licence: 'MIT 许可。各图引用的正是这个模块：',
    variants: { simd: 'SIMD', relaxed: 'relaxed SIMD' },
    sources: html`来源：Vaswani 等 2017（<cite>Attention Is All You Need</cite>）、Su 等 2021（<cite>RoFormer</cite>）。`,
  },
};
