// The build makes zh-hant.ts from zh-hans.ts; see traditional.ts.
export * from './zh-hans.js';
