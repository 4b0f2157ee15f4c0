import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** The starter of a worker that is part of the page takes the place of the one with a file of its own. */
export function inlineWorker(): Plugin {
  const inline = fileURLToPath(new URL('./engine/start-inline-worker.ts', import.meta.url));
  return {
    name: 'posenc-inline-worker',
    enforce: 'pre',
    resolveId: (id) => (id.endsWith('/start-worker.js') ? inline : undefined),
  };
}

/**
 * Writes the page with its style, scripts and icon in one HTML file, which opens from disk. Its content policy allows these
 * by their hashes, the worker as a blob and the WebAssembly as data; nothing can be loaded from anywhere.
 */
export function oneFile(path: string): Plugin {
  return {
    name: 'posenc-one-file',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const asset = (ending: string): string => {
        const found = files.find((file) => file.type === 'asset' && file.fileName.endsWith(ending));
        if (found?.type !== 'asset') throw new Error(`the page has no ${ending} file`);
        return String(found.source);
      };
      const chunks = files.filter((file) => file.type === 'chunk');
      if (chunks.length !== 1) throw new Error(`one script was expected; got ${chunks.length}`);
      const style = asset('.css').trim();
      // Neither may end the element that it stands in, nor begin another.
      const script = chunks[0]!.code
        .trim()
        .replace(/<(?=\/?script)/gi, '\\x3c')
        // Vite puts in later which files a part needs that is fetched when it is used; here there are none.
        .replaceAll('__VITE_PRELOAD__', 'void 0');
      const page = asset('.html')
        .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '')
        .replace(/<link rel="icon"[^>]*>/, '')
        .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace('</body>', () => `<script type="module">${script}</script>\n  </body>`);
      const hashes = (element: string): string =>
        [...page.matchAll(new RegExp(`<${element}[^>]*>([\\s\\S]*?)</${element}>`, 'g'))]
          .map(([, content]) => `'sha256-${createHash('sha256').update(content!).digest('base64')}'`)
          .join(' ');
      const policy = [
        "default-src 'none'",
        `script-src 'wasm-unsafe-eval' ${hashes('script')}`,
        `style-src ${hashes('style')}`,
        'worker-src blob:',
        'connect-src data:',
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ');
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(
        path,
        page.replace(
          '<meta charset="utf-8" />',
          `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
        ),
      );
      for (const { fileName } of files) delete bundle[fileName];
    },
  };
}
