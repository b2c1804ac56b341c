import ts from 'typescript';
import { sqlChanges } from './mutators-sql.ts';

/** A small change of a source file that some test should notice. */
export interface Mutant {
  readonly file: string;
  /** Number of the line, counted from 1. */
  readonly line: number;
  /**
   * Function that contains the change, as a developer would name it; `module` outside every
   * function.
   */
  readonly inside: string;
  /**
   * Number of the function's body in the file, or -1 outside every function; identifies the tests
   * that reach the body.
   */
  readonly body: number;
  /** Text before the change, and `after` the text after it, each on one line. */
  readonly before: string;
  readonly after: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const OPERATOR_SWAPS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
  [ts.SyntaxKind.PlusEqualsToken, '-='],
  [ts.SyntaxKind.MinusEqualsToken, '+='],
]);

/** Methods that filter, sort or shorten their receiver; a mutant omits the call. */
const NARROWING_METHODS = new Set(['filter', 'toSorted', 'toReversed', 'trim', 'slice']);

/** Returns every mutant of a file, in the order of the file's text. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const bodies = bodiesOf(source);
  const found: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (isTypeOnly(node)) return;
    for (const change of changesOf(node, source)) {
      found.push({ ...describe(node, source, bodies), ...describeChange(text, change), ...change });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Whether the mutant compiles to a program that differs from the original, types ignored. */
export function changesCompiledCode(text: string, mutant: Mutant): boolean {
  const now = compileWithoutComments(mutate(text, mutant));
  return now !== undefined && now !== compileWithoutComments(text);
}

export function mutate(text: string, { start, end, replacement }: Change): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/**
 * Returns the text of a file, changed so that each function body records in a global set that it
 * was reached.
 */
export function withReachNotes(file: string, text: string): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const added = bodiesOf(source).flatMap(({ body }, at) => {
    const note = `(globalThis.reachedBodies ??= new Set()).add('${file}#${at}')`;
    const start = body.getStart(source);
    if (ts.isBlock(body)) return [{ at: start + 1, words: `${note};` }];
    const opened = { at: start, words: `(${note}, ` };
    return [opened, { at: body.end, words: ')' }];
  });
  return added
    .toSorted((a, b) => b.at - a.at)
    .reduce((all, { at, words }) => all.slice(0, at) + words + all.slice(at), text);
}

interface NamedBody {
  readonly name: string;
  readonly body: ts.Node;
}

function bodiesOf(source: ts.SourceFile): NamedBody[] {
  const found: NamedBody[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && isNode(node.body)) {
      found.push({ name: nameOf(node), body: node.body });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isNode(body: unknown): body is ts.Node {
  return typeof body === 'object' && body !== null && 'kind' in body;
}

function nameOf(node: ts.Node): string {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const named = ts.isFunctionLike(node) && node.name !== undefined ? node.name : undefined;
  if (named !== undefined) return named.getText();
  const { parent } = node;
  const isNaming = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
  if (isNaming || ts.isPropertyDeclaration(parent)) return parent.name.getText();
  return ts.isSourceFile(parent) ? 'module' : nameOf(parent);
}

function describe(node: ts.Node, source: ts.SourceFile, bodies: readonly NamedBody[]) {
  const at = node.getStart(source);
  const body = bodies.findLastIndex(({ body: { pos, end } }) => pos <= at && at < end);
  const line = source.getLineAndCharacterOfPosition(at).line + 1;
  return { file: source.fileName, line, inside: bodies[body]?.name ?? 'module', body };
}

function describeChange(text: string, { start, end, replacement }: Change) {
  const flat = (part: string) => part.replaceAll(/\s+/g, ' ').trim();
  return { before: flat(text.slice(start, end)), after: flat(replacement) };
}

/**
 * Whether only the compiler reads the code, or the code names other files; such code has no
 * mutants.
 */
function isTypeOnly(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node)
  );
}

function changesOf(node: ts.Node, source: ts.SourceFile): Change[] {
  const over = (what: ts.Node, replacement: string): Change => ({
    start: what.getStart(source),
    end: what.end,
    replacement,
  });
  const text = (what: ts.Node) => what.getText(source);
  const condition = conditionOf(node);
  const changes = condition === undefined ? [] : [over(condition, `!(${text(condition)})`)];
  if (isOmittableNode(node)) changes.push(over(node, ';'));
  if (ts.isBinaryExpression(node)) {
    const swap = OPERATOR_SWAPS.get(node.operatorToken.kind);
    if (swap !== undefined && !isTextJoin(node)) changes.push(over(node.operatorToken, swap));
    if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
      changes.push(over(node, text(node.left)));
    }
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) changes.push(over(node, 'false'));
  if (node.kind === ts.SyntaxKind.FalseKeyword) changes.push(over(node, 'true'));
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) changes.push(over(node, '[]'));
  const receiver = receiverOfNarrowingCall(node);
  if (receiver !== undefined) changes.push(over(node, text(receiver)));
  if (ts.isStringLiteralLike(node)) changes.push(...changesOfText(node, source));
  if (ts.isTemplateExpression(node)) changes.push(...sqlChanges(text(node), node.getStart(source)));
  return changes;
}

function conditionOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return node.expression;
  if (ts.isConditionalExpression(node) || ts.isForStatement(node)) return node.condition;
  return undefined;
}

/**
 * Whether the node can be omitted: a call whose result is not used, awaited or not, or an early
 * exit.
 */
function isOmittableNode(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node)) {
    const { expression } = node;
    const inner = ts.isAwaitExpression(expression) ? expression.expression : expression;
    return ts.isCallExpression(inner) && inner.expression.kind !== ts.SyntaxKind.SuperKeyword;
  }
  if (!ts.isIfStatement(node) || node.elseStatement !== undefined) return false;
  const { thenStatement: then } = node;
  const last = ts.isBlock(then) ? then.statements.at(-1) : then;
  return last !== undefined && isExitStatement(last);
}

function isExitStatement(statement: ts.Statement): boolean {
  return (
    ts.isReturnStatement(statement) ||
    ts.isThrowStatement(statement) ||
    ts.isContinueStatement(statement) ||
    ts.isBreakStatement(statement)
  );
}

/** Whether the operation joins texts: `+` then has no opposite operator. */
function isTextJoin({ left, right }: ts.BinaryExpression): boolean {
  const isText = (side: ts.Expression): boolean =>
    ts.isStringLiteralLike(side) || ts.isTemplateExpression(side);
  return isText(left) || isText(right);
}

function receiverOfNarrowingCall(node: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined;
  return NARROWING_METHODS.has(node.expression.name.text) ? node.expression.expression : undefined;
}

/**
 * Returns the changes of a text: those of an SQL statement, otherwise the empty text. Names of
 * properties and texts of cases are not changed.
 */
function changesOfText(node: ts.StringLiteralLike, source: ts.SourceFile): Change[] {
  const start = node.getStart(source);
  const sql = sqlChanges(node.getText(source), start);
  if (sql.length > 0) return sql;
  const { parent } = node;
  const isName = ts.isPropertyAssignment(parent) && parent.name === node;
  if (node.text === '' || isName || ts.isCaseClause(parent)) return [];
  return [{ start, end: node.end, replacement: "''" }];
}

/** Returns the compiled code without comments; `undefined` if the text is not a valid program. */
function compileWithoutComments(text: string): string | undefined {
  const { outputText, diagnostics } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      removeComments: true,
      verbatimModuleSyntax: true,
    },
  });
  return (diagnostics ?? []).length === 0 ? outputText : undefined;
}
