import path from 'node:path';
import { validateImport } from './fences.js';

const root = path.resolve(import.meta.dirname, '../..');

/** Rejects an import that no row of `fences.js` allows. */
export const fenceRule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = repositoryPath(context.filename);
    const check = (node) => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string') return;
      const problem = validateImport(file, targetOf(context.filename, specifier));
      if (problem !== undefined) context.report({ node, message: problem });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

function targetOf(file, specifier) {
  if (!specifier.startsWith('.')) return specifier;
  return repositoryPath(path.resolve(path.dirname(file), specifier.split('?', 1)[0] ?? ''));
}

function repositoryPath(file) {
  return path.relative(root, file).split(path.sep).join('/');
}
