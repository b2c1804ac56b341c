/*
 * `node build/checks/plain-english.ts [WORD…]`: texts of the window that a reader whose English is
 * average would have to read twice. Words narrow the keys, such as `outbox_`.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { place } from '../places.ts';
import { ALLOWED } from './plain-english-allowed.ts';

interface Habit {
  readonly find: RegExp;
  /** What to write instead. */
  readonly use: string;
}

/** Words and phrases that were translated word by word, or that stand for several things. */
const HABITS: readonly Habit[] = [
  { find: /\b(?:some|every|any)body\b/i, use: 'someone, everyone, anyone' },
  { find: /\bnobody\b/i, use: 'a sentence that says it positively' },
  { find: /(?:^|[.:;] )(?:Nothing|None|Nowhere)\b/, use: 'a sentence that says it positively' },
  { find: /(?<!\bthere )\b(?:is|are) no\b/i, use: 'is not a, are not' },
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
  { find: /\b(?:stands?|stood|lies|lay)\b/i, use: 'is' },
  { find: /\b(?:tells?|told|untold)\b/i, use: 'show, report, notify' },
  { find: /\b(?:says?|said)\b/i, use: 'show, state, list' },
  { find: /\basks\b/i, use: 'require, prompt' },
  { find: /\bso (?:many|long)\b/i, use: 'the number' },
  { find: /\bneeds? (?:you|me)\b/i, use: 'needs your attention' },
  { find: /\b(?:become|became|becomes) of\b/i, use: 'happened to' },
  { find: /\b(?:in vain|mend|mended)\b/i, use: 'fix' },
  { find: /\b(?:receivers?)\b/i, use: 'recipient' },
  { find: /\bseats?\b/i, use: 'user' },
  { find: /(?<!\bSigning )\b[Dd]esks?\b/, use: 'computer' },
  { find: /\btelephone\b/i, use: 'phone' },
  { find: /\b(?:credentials?(?! store)|access keys?)\b/i, use: 'API key' },
  { find: /\bswitch(?:ed|es)?(?: \w+)? (?:on|off)\b/i, use: 'turn on, turn off' },
  { find: /\bworkbooks?\b/i, use: 'spreadsheet' },
  { find: /\be-mail/i, use: 'email' },
  { find: /\bSMS\b/, use: 'text message' },
  { find: /\bids?\b|\bIds?\b/, use: 'ID' },
  { find: /\w'\w|\w' /, use: 'a curly apostrophe (’)' },
];

/** Words in a sentence of a screen; more are read twice. */
const MAX_WORDS = 20;

interface Finding {
  readonly key: string;
  readonly words: string;
  readonly use: string;
}

/** Words of these texts that have to be read twice. */
function findingsIn(texts: Readonly<Record<string, readonly string[]>>): readonly Finding[] {
  return Object.entries(texts).flatMap(([key, forms]) =>
    // The name of a value is not read by anyone.
    forms
      .map((form) => form.replace(/\{\w+\}/g, '…'))
      .flatMap((text) => [
        ...HABITS.flatMap(({ find, use }) => {
          const words = find.exec(text)?.[0].trim();
          return words === undefined ? [] : [{ key, words, use }];
        }),
        ...text
          .split(/(?<=[.?!:;]) /)
          .filter((sentence) => sentence.split(/\s+/).length > MAX_WORDS)
          .map((sentence) => ({ key, words: sentence, use: `at most ${MAX_WORDS} words` })),
      ]),
  );
}

/** The texts of each key: one, or one for each form of a plural. */
function textsOf(messages: Readonly<Record<string, unknown>>): Record<string, string[]> {
  const texts: Record<string, string[]> = {};
  for (const [key, message] of Object.entries(messages)) {
    if (key.startsWith('$')) continue;
    const forms = Array.isArray(message) ? message : [message];
    texts[key] = forms.flatMap((form: unknown) =>
      typeof form === 'string' ? [form] : Object.values(Object(form).match ?? {}).map(String),
    );
  }
  return texts;
}

/**
 * One sentence for each text of `folder` that has to be read twice, but for what is allowed, and for each
 * row of the allow-list without such a text.
 */
export async function englishProblems(folder: string): Promise<string[]> {
  const messages = JSON.parse(await readFile(path.join(folder, 'en.json'), 'utf8'));
  const all = findingsIn(textsOf(messages));
  const isAllowed = ({ key, words }: Finding) => ALLOWED[key]?.[0] === words;
  const found = new Set(all.filter(isAllowed).map(({ key }) => key));
  const idle = Object.keys(ALLOWED).filter((key) => !found.has(key));
  return [
    ...all
      .filter((one) => !isAllowed(one))
      .map(({ key, words, use }) => `${key}: "${words}": write ${use}`),
    ...idle.map((key) => `${key}: has no such words, and a row in plain-english-allowed.ts`),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const prefixes = process.argv.slice(2);
  const problems = (await englishProblems(place('renderer/messages'))).filter(
    (problem) => prefixes.length === 0 || prefixes.some((prefix) => problem.startsWith(prefix)),
  );
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
