/*
 * `node build/checks/plain-english.ts [WORD…]`: lists English texts that a reader with
 * average English would have to read twice. Words narrow the keys and paths, such as `outbox_`.
 */
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { root as repository } from '../places.ts';
import { ALLOWED, type AllowedWords } from './plain-english-allowed.ts';

interface Habit {
  /** Whether only the screens must avoid the words; documents and the terminal may use them. */
  readonly isOfScreens?: true;
  /**
   * Whether the window uses another term for the word. Code may use the word for something else, or
   * for a stored name.
   */
  readonly isTerm?: true;
  readonly find: RegExp;
  /** Words to use instead. */
  readonly use: string;
}

/**
 * Words and phrases that were translated word by word, or that have several meanings.
 * @internal
 */
export const HABITS: readonly Habit[] = [
  { find: /\b(?:some|every|any)body\b/i, use: 'someone, everyone, anyone' },
  { find: /\bnobody\b/i, use: 'a sentence that says it positively' },
  {
    isOfScreens: true,
    find: /(?:^|[.:;] )(?:Nothing|None|Nowhere)\b/,
    use: 'a sentence that says it positively',
  },
  { find: /(?<!\bthere )\b(?:is|are) no\b(?! longer)/i, use: 'is not a, are not' },
  { find: /(?:^|[.:;] )What\b(?!.*\?)/, use: 'the noun that it means' },
  { find: /\b(?:one|ones|those) (?:that|who|which)\b/i, use: 'the noun that it means' },
  { find: /\bwh(?:o|at|ich)ever\b/i, use: 'anyone who, everything that' },
  { find: /\banew\b/i, use: 'again' },
  { find: /\bmeanwhile\b/i, use: 'in the meantime, since then' },
  { find: /\bfor good\b/i, use: 'permanently' },
  { find: /\bat once\b/i, use: 'immediately, or at the same time' },
  { find: /(?:^|[;,] )else\b/i, use: 'otherwise' },
  {
    find: /\b(?:take|takes|taken|took|taking)(?: \w+)? back\b/i,
    use: 'return to drafts, undo, cancel',
  },
  { find: /\b(?:go|goes|went|going) out\b/i, use: 'is sent' },
  { find: /\b(?:leave|leaves|left|leaving)(?: \w+)? out\b/i, use: 'exclude, skip' },
  { find: /\b(?:take|takes|taken|took|taking) in\b/i, use: 'import' },
  { find: /\bby (?:itself|themselves|key|rule)\b/i, use: 'automatically, with the keyboard' },
  { find: /\bin place of\b/i, use: 'instead of' },
  { find: /\b(?:beside|apart)\b/i, use: 'next to, separate' },
  { find: /\b(?:stands?(?!-)|stood|lies|lay)\b/i, use: 'is' },
  { find: /\b(?:tells?|told|untold)\b/i, use: 'show, report, notify' },
  { find: /\b(?:says?|said)\b/i, use: 'show, state, list' },
  { isOfScreens: true, find: /\basks\b/i, use: 'require, prompt' },
  { find: /\bso (?:many|long)\b/i, use: 'the number' },
  { find: /\bneeds? (?:you|me)\b/i, use: 'needs your attention' },
  { find: /\b(?:become|became|becomes) of\b/i, use: 'happened to' },
  { find: /\b(?:in vain|mend|mended)\b/i, use: 'fix' },
  { isTerm: true, find: /\b(?:receivers?)\b/i, use: 'recipient' },
  { isTerm: true, find: /\bseats?\b/i, use: 'user' },
  { isTerm: true, find: /(?<!\bSigning |-)\b[Dd]esks?\b/, use: 'computer' },
  { isTerm: true, find: /\btelephone\b/i, use: 'phone' },
  {
    isOfScreens: true,
    find: /\b(?:credentials?(?! store)|access keys?)\b/i,
    use: 'API key',
  },
  { isTerm: true, find: /\bswitch(?:ed|es)?(?: \w+)? (?:on|off)\b/i, use: 'turn on, turn off' },
  { isTerm: true, find: /\bworkbooks?\b/i, use: 'spreadsheet' },
  { isTerm: true, find: /\be-mail/i, use: 'email' },
  { isTerm: true, find: /\bSMS\b/, use: 'text message' },
  { isTerm: true, find: /\bids?\b|\bIds?\b/, use: 'ID' },
  { isOfScreens: true, find: /\w'\w|\w' /, use: 'a curly apostrophe (’)' },
];

/** Maximum words in a sentence of a screen; readers have to read longer ones twice. */
const MAX_SCREEN_WORDS = 20;
/** Maximum words in a sentence of a document or of the terminal. */
const MAX_DOCUMENT_WORDS = 25;

interface Finding {
  /** Key of a message, or path of a file. */
  readonly where: string;
  readonly words: string;
  readonly use: string;
}

/** A text that people read. */
interface ReadText {
  readonly where: string;
  readonly text: string;
}

const DOCUMENT_HABITS = HABITS.filter(({ isOfScreens }) => isOfScreens !== true);

/** Returns the findings in texts of the window. */
const windowFindings = (texts: readonly ReadText[]) => findingsIn(texts, HABITS, MAX_SCREEN_WORDS);
/**
 * Returns the findings in texts of documents and of the terminal. Texts that are not sentences,
 * such as labels, are not checked.
 */
const documentFindings = (texts: readonly ReadText[]) =>
  findingsIn(
    texts.filter(({ text }) => /[.!?:]$/.test(text)),
    DOCUMENT_HABITS,
    MAX_DOCUMENT_WORDS,
  );

function findingsIn(
  texts: readonly ReadText[],
  habits: readonly Habit[],
  maxWords: number,
): readonly Finding[] {
  return texts.flatMap(({ where, text }) => [
    ...habits.flatMap(({ find, use }) => {
      const words = find.exec(text)?.[0].trim();
      return words === undefined ? [] : [{ where, words, use }];
    }),
    ...text
      .split(/(?<=[.?!:;]) /)
      .filter((sentence) => sentence.split(/\s+/).length > maxWords)
      .map((sentence) => ({ where, words: sentence, use: `at most ${maxWords} words` })),
  ]);
}

/**
 * Returns the texts of the window: one for each key, or one for each of its plural forms. The names
 * of values are removed, because readers do not see them.
 */
async function windowTexts(root: string): Promise<readonly ReadText[]> {
  const file = path.join(root, 'renderer/messages/en.json');
  const messages: Record<string, unknown> = JSON.parse(await readFile(file, 'utf8'));
  return Object.entries(messages).flatMap(([where, message]) => {
    if (where.startsWith('$')) return [];
    const forms = Array.isArray(message) ? message : [message];
    const texts = forms.flatMap((form: unknown) =>
      typeof form === 'string' ? [form] : Object.values(Object(form).match ?? {}).map(String),
    );
    return texts.map((text) => ({ where, text: text.replace(/\{\w+\}/g, '…') }));
  });
}

const GUIDE_FILES = 'renderer/guide/en/*.md';
const DOCUMENT_FILES = '{README,CONTRIBUTING,SECURITY,CHANGELOG}.md';
const COMMAND_FILES = 'electron/hosts/cli/**/*.ts';
const ERROR_FILES = '{electron/{core,adapters,compose},shared}/**/*.ts';

/**
 * Returns the paragraphs, items and cells of Markdown files, without code, addresses and names of
 * values.
 */
async function documentTexts(root: string, pattern: string): Promise<readonly ReadText[]> {
  const texts: ReadText[] = [];
  for await (const where of glob(pattern, { cwd: root })) {
    const text = await readFile(path.join(root, where), 'utf8');
    texts.push(...blocksOf(text).map((block) => ({ where, text: proseOf(block) })));
  }
  return texts.filter(({ text }) => text !== '');
}

/**
 * Returns the paragraphs, items and cells of a Markdown text, each on one line, without blocks of
 * code and headings.
 */
function blocksOf(text: string): readonly string[] {
  const blocks: string[] = [];
  let isCode = false;
  let isOpen = false;
  for (const line of text.split('\n').map((one) => one.trim())) {
    const isFence = line.startsWith('```');
    if (isFence) isCode = !isCode;
    if (isFence || isCode || line === '' || line.startsWith('#')) isOpen = false;
    else if (line.startsWith('|')) {
      blocks.push(...line.split('|'));
      isOpen = false;
    } else if (isOpen && !/^(?:[-*]|\d+\.) /.test(line)) {
      blocks.push(`${blocks.pop() ?? ''} ${line}`);
    } else {
      blocks.push(line);
      isOpen = true;
    }
  }
  return blocks;
}

/**
 * Returns the text of a block without Markdown's own characters, code, addresses and names of
 * values.
 */
const proseOf = (block: string): string =>
  block
    .replace(/^(?:[-*>]|\d+\.) /, '')
    .replace(/`[^`]*`/g, '…')
    .replace(/\{[\w ]+\}/g, '…')
    .replace(/\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/<https?:[^<>]*>/g, '…')
    .replace(/[*_]/g, '')
    .trim();

/** Whether a text in code has at least three words, and so is a sentence, not a name. */
const isSentence = (text: string): boolean => /^\S+ \S+ \S+/.test(text.trim());

/** Returns the strings of more than two words in code, those for which `isRead` returns true. */
async function codeTexts(
  root: string,
  pattern: string,
  isRead: (node: ts.Node) => boolean,
): Promise<readonly ReadText[]> {
  const texts: ReadText[] = [];
  for await (const where of glob(pattern, { cwd: root })) {
    const code = await readFile(path.join(root, where), 'utf8');
    const visit = (node: ts.Node): void => {
      const text = textOf(node);
      if (text !== null && isRead(node) && isSentence(text)) {
        texts.push(...text.split('\n').map((line) => ({ where, text: line })));
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(where, code, ts.ScriptTarget.Latest, true));
  }
  return texts;
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** Whether the string is the sentence of a `new AppError(code, sentence, …)`. */
const isErrorSentence = ({ parent }: ts.Node): boolean =>
  ts.isNewExpression(parent) && parent.expression.getText() === 'AppError';

/**
 * Returns one sentence for each English text that has to be read twice and is not allowed, and for
 * each row of the allow-list that no text needs. The texts are those of the window, the guide, the
 * documents, the commands and the errors.
 */
export async function englishProblems(root: string): Promise<string[]> {
  const all = [
    ...windowFindings(await windowTexts(root)),
    ...documentFindings(await codeTexts(root, COMMAND_FILES, () => true)),
    ...documentFindings(await codeTexts(root, ERROR_FILES, isErrorSentence)),
    ...documentFindings(await documentTexts(root, GUIDE_FILES)),
    ...documentFindings(await documentTexts(root, DOCUMENT_FILES)),
  ];
  const isOf = (row: AllowedWords, { where, words }: Finding): boolean =>
    row.where === where && row.words === words;
  const idle = ALLOWED.filter((row) => !all.some((one) => isOf(row, one)));
  return [
    ...all
      .filter((one) => !ALLOWED.some((row) => isOf(row, one)))
      .map(({ where, words, use }) => `${where}: "${words}": write ${use}`),
    ...idle.map(
      ({ where, words }) => `${where}: has no "${words}", and a row in plain-english-allowed.ts`,
    ),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const prefixes = process.argv.slice(2);
  const problems = (await englishProblems(repository)).filter(
    (problem) => prefixes.length === 0 || prefixes.some((prefix) => problem.startsWith(prefix)),
  );
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
