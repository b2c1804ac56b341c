import path from 'node:path';
import ts from 'typescript';
import type { SourceFile } from './import-graph.ts';

const PORT_FILE_PATTERN = /^electron\/core\/(?:[^/]*ports|[^/]+\/ports)\.ts$/;
const CALLER_FILE_PATTERN = /^electron\/(?:core|compose|adapters)\/.*\.ts$/;

/** Returns every method of a port that neither the core nor compose calls or passes on. */
export function deadPortMethods(
  root: string,
  sources: readonly SourceFile[],
): { readonly name: string; readonly why: string }[] {
  const callers = sources.map(({ file }) => file).filter((file) => CALLER_FILE_PATTERN.test(file));
  const program = ts.createProgram({
    rootNames: callers.map((file) => path.join(root, file)),
    options: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
      strict: true,
      lib: ['lib.es2024.d.ts'],
      types: [],
    },
  });
  const files = callers.flatMap((file) => {
    const source = program.getSourceFile(path.join(root, file));
    return source === undefined ? [] : [{ file, source }];
  });
  const methods = files
    .filter(({ file }) => PORT_FILE_PATTERN.test(file))
    .flatMap(({ file, source }) => methodsOf(file, source));
  const used = usedMethods(
    new Map(methods.map((method) => [method.node, method.name])),
    files.map(({ source }) => source),
    program.getTypeChecker(),
  );
  return methods
    .filter(({ node }) => !used.has(node))
    .map(({ owner, name, file }) => ({
      name: `port ${owner}.${name}`,
      why: `(${file}): the core never calls it`,
    }));
}

interface PortMethod {
  readonly node: ts.Node;
  readonly file: string;
  readonly owner: string;
  readonly name: string;
}

function methodsOf(file: string, source: ts.SourceFile): PortMethod[] {
  return source.statements.filter(ts.isInterfaceDeclaration).flatMap((port) =>
    port.members.flatMap((node) => {
      const isMethod =
        ts.isMethodSignature(node) ||
        (ts.isPropertySignature(node) &&
          node.type !== undefined &&
          ts.isFunctionTypeNode(node.type));
      if (!isMethod || !ts.isIdentifier(node.name)) return [];
      return [{ node, file, owner: port.name.text, name: node.name.text }];
    }),
  );
}

/** Returns those of `methods` that an expression or a pattern of `files` names. */
function usedMethods(
  methods: ReadonlyMap<ts.Node, string>,
  files: readonly ts.SourceFile[],
  checker: ts.TypeChecker,
): ReadonlySet<ts.Node> {
  const used = new Set<ts.Node>();
  // Queries to the compiler are slow: a name is queried only until a use of every method of that
  // name has been found.
  const names = new Map<string, number>();
  for (const name of methods.values()) names.set(name, (names.get(name) ?? 0) + 1);
  const use = (symbol: ts.Symbol | undefined): void => {
    for (const declared of symbol?.declarations ?? []) {
      const name = methods.get(declared);
      if (name === undefined || used.has(declared)) continue;
      used.add(declared);
      const left = (names.get(name) ?? 0) - 1;
      if (left > 0) names.set(name, left);
      else names.delete(name);
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && names.has(node.name.text)) {
      use(checker.getSymbolAtLocation(node.name));
    }
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const key = node.propertyName ?? node.name;
      if (ts.isIdentifier(key) && names.has(key.text)) {
        use(checker.getTypeAtLocation(node.parent).getProperty(key.text));
      }
    }
    node.forEachChild(visit);
  };
  files.forEach(visit);
  return used;
}
