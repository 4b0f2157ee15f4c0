// The build makes zh-hant.ts from zh-hans.ts; see .setup/traditional.ts.
export * from './zh-hans.js';
