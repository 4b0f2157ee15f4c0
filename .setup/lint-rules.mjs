// A rule of our own for oxlint: the borders between the parts of the sources.
import { dirname, relative, resolve } from 'node:path';
import { root } from './run.mjs';

/** What each part of web/ may import from the others. The page has their public names, as `posenc`, instead. */
const arrows = {
  phrases: [],
  common: ['phrases'],
  rotary: ['common', 'phrases'],
  model: ['rotary', 'common', 'phrases'],
  engine: ['rotary', 'common', 'phrases'],
  'index.ts': ['engine', 'model', 'rotary', 'common', 'phrases'],
  app: [],
};

/** The packages that each part may import: the library has none, and only the engine has the WebAssembly's glue. */
function isPackageOf(part, name) {
  return part === 'app' || name.startsWith('node:') || (part === 'engine' && name === '#glue');
}

/** The part of web/ that a file is in. */
function partOf(path) {
  return /^web\/([^/]+)/.exec(relative(root, path))?.[1];
}

const borders = {
  create(context) {
    const part = partOf(context.filename);
    if (!Object.hasOwn(arrows, part)) return {};
    const mayImport = (name) => {
      if (!name.startsWith('.')) return isPackageOf(part, name);
      const other = partOf(resolve(dirname(context.filename), name));
      return other === undefined || other === part || arrows[part].includes(other);
    };
    const check = ({ source }) => {
      if (!source || mayImport(source.value)) return;
      context.report({ node: source, message: `web/${part} may not import ${source.value}` });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
      TSImportType: check,
    };
  },
};

export default { meta: { name: 'posenc' }, rules: { borders } };
