import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { registry } from 'posenc';
import temml from 'temml';
import { build, type Plugin } from 'vite';
import { tex } from './formulas.ts';
import type { Language } from './preferences.ts';
import { toTraditional, traditionalChinese } from '../../.setup/traditional.ts';

/** The oldest engines with WebAssembly SIMD. */
export const oldestEngines = ['chrome91', 'firefox89', 'safari16.4'];

const languages: readonly Language[] = ['en', 'zh-Hans', 'zh-Hant'];

const formulaModule = 'virtual:formulas';

/**
 * Serves `virtual:formulas`: every entry of formulas.ts as a MathML string, so that no TeX engine reaches the browser; and
 * the registry of encodings as plain data, so that their code stays in the worker.
 */
export function formulas(): Plugin {
  return {
    name: 'posenc-formulas',
    resolveId: (id) => (id === formulaModule ? `\0${formulaModule}` : undefined),
    load(id) {
      if (id !== `\0${formulaModule}`) return undefined;
      const entries = Object.entries(tex).map(([name, source]) => [name, toMathml(source)]);
      const encodings = Object.entries(registry).map(([name, { title, functions, source, formula }]) => [
        name,
        {
          title: { ...title, 'zh-Hant': toTraditional(title['zh-Hans']) },
          functions,
          source,
          mathml: toMathml(formula),
        },
      ]);
      return [
        `export const mathml = ${JSON.stringify(Object.fromEntries(entries))};`,
        `export const encodings = ${JSON.stringify(Object.fromEntries(encodings))};`,
      ].join('\n');
    },
  };
}

/** A formula; one of several parts, which `\quad` keeps apart, may break between them. */
function toMathml(source: string): string {
  return source.split('\\quad').map(partToMathml).join(' ');
}

function partToMathml(source: string): string {
  const math = temml.renderToString(source, { displayMode: true, trust: true, throwOnError: true });
  // A formula stands in a line of the margin, not in a block of its own; inline styles would break the content policy.
  return math.replace(/ style="[^"]*"/g, '').replace(/^<math[^>]*>/, '<math displaystyle="true">');
}

/**
 * Bundles the module that `<!--inline: …-->` in index.html names into a classic script in its place: what has to have run
 * before any other file arrives.
 */
export function inlineScripts(): Plugin {
  const scripts = new Map<string, Promise<string>>();
  return {
    name: 'posenc-inline-scripts',
    configureServer(server) {
      server.watcher.on('change', () => scripts.clear());
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        for (const [comment, entry] of html.matchAll(/<!--inline: (\S+)-->/g)) {
          if (!scripts.has(entry!)) scripts.set(entry!, bundle(entry!));
          const script = await scripts.get(entry!)!;
          html = html.replace(comment, () => `<script>${script}</script>`);
        }
        return html;
      },
    },
  };
}

async function bundle(entry: string): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    root: fileURLToPath(new URL('.', import.meta.url)),
    publicDir: false,
    plugins: [traditionalChinese()],
    build: {
      write: false,
      target: oldestEngines,
      lib: { entry, formats: ['iife'], name: 'inline' },
    },
  });
  const [result] = Array.isArray(output) ? output : [output];
  if (!result || !('output' in result)) throw new Error(`${entry} gave no bundle`);
  return result.output[0].code.trim().replaceAll('</script', '<\\/script');
}

/** Adds the content policy to the built page: this origin, WebAssembly, and the inline scripts by their hashes. */
export function contentPolicy(): Plugin {
  return {
    name: 'posenc-content-policy',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const hashes = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
          ([, code]) => `'sha256-${createHash('sha256').update(code!).digest('base64')}'`,
        );
        const policy = [
          "default-src 'self'",
          ["script-src 'self' 'wasm-unsafe-eval'", ...hashes].join(' '),
          "object-src 'none'",
          "base-uri 'none'",
          "form-action 'none'",
        ].join('; ');
        return html.replace(
          '<meta charset="utf-8" />',
          `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
        );
      },
    },
  };
}

/** Lets the browser fetch the texts of the page's language along with its code, not after it. */
export function preloadTexts(): Plugin {
  return {
    name: 'posenc-preload-texts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const files = languages.flatMap((language) => {
          const ending = `/texts/${language.toLowerCase()}.ts`;
          const texts = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(ending));
          return texts ? [[language, [texts.fileName, ...texts.imports].map((file) => `./${file}`)]] : [];
        });
        if (files.length === 0) return html;
        const link = "Object.assign(document.createElement('link'), { rel: 'modulepreload', href })";
        const hrefs = `${JSON.stringify(Object.fromEntries(files))}[document.documentElement.lang]`;
        const script = `document.head.append(...${hrefs}.map((href) => ${link}))`;
        return html.replace('</head>', () => `  <script>${script}</script>\n  </head>`);
      },
    },
  };
}
