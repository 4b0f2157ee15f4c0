import { defineConfig } from 'vite';
import { traditionalChinese } from './traditional.ts';

/** What every bundle of the package has in common; build.mjs says the rest. */
export default defineConfig({
  publicDir: false,
  logLevel: 'warn',
  plugins: [traditionalChinese()],
});
