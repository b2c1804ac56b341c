import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { guideProblems } from '../../build/checks/guide.ts';
import { readGuide, readPage } from '../../build/guide/read.ts';
import { place } from '../../build/places.ts';

const MESSAGES = {
  send: 'Send',
  held: 'Send ({seconds} s to undo)',
  sign: [
    {
      declarations: ['input count', 'local shown = count: number'],
      match: { 'countPlural=other': 'Sign {shown}' },
    },
  ],
};
const COMMANDS = "const commands = [{ keys: ['$mod+[Shift]+/', 'F8'] }, { keys: 'F1' }];\n";
const ENGLISH = {
  contents: '# Contents\n\n- [Sending](sending.md)\n',
  sending: '# Sending\n\n## Now\n\nPress {send}, or {keys F8}.\n',
};

type Pages = Readonly<Record<string, string>>;

/**
 * Returns the problems of a guide with these pages. Without `swedish`, the Swedish pages equal the
 * English ones.
 */
async function problemsOf(
  pages: Pages,
  { swedish = {}, pictures = {} }: { swedish?: Pages; pictures?: Record<string, number> } = {},
): Promise<string[]> {
  const renderer = await mkdtemp(path.join(tmpdir(), 'guide-'));
  onTestFinished(() => rm(renderer, { recursive: true }));
  const english = { ...ENGLISH, ...pages };
  const files: Record<string, string | Buffer> = {
    'messages/en.json': JSON.stringify(MESSAGES),
    'app/commands.ts': COMMANDS,
  };
  for (const [name, text] of Object.entries(english)) files[`guide/en/${name}.md`] = text;
  for (const [name, text] of Object.entries({ ...english, ...swedish })) {
    if (text !== '') files[`guide/sv/${name}.md`] = text;
  }
  for (const [name, bytes] of Object.entries(pictures)) {
    files[`guide/pictures/${name}`] = Buffer.alloc(bytes);
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(renderer, name)), { recursive: true });
    await writeFile(path.join(renderer, name), content);
  }
  return guideProblems(renderer);
}

const sending = (text: string): Pages => ({ sending: `# Sending\n\n## Now\n\n${text}\n` });

describe('the guide of the program', () => {
  it('has each page in both languages with the same headings, and no broken link', async () => {
    expect(await guideProblems(place('renderer'))).toEqual([]);
    const names = await readdir(place('renderer/guide/en'));
    expect(await readdir(place('renderer/guide/sv'))).toEqual(names);
    expect(names.length).toBeGreaterThan(8);
  });

  it('describes the work of its three kinds of readers, and the steps after an unknown outcome', async () => {
    const { pages } = await readGuide(place('renderer/guide/en'));
    expect(pages.map(({ name }) => name)).toEqual([
      ...['contents', 'install', 'first-steps', 'prepare-and-send', 'review-and-sign', 'archive'],
      ...['spreadsheet', 'draw-fields', 'reminders', 'watched-folders', 'people'],
      ...['statuses', 'daily', 'board', 'unknown-outcome'],
      ...['nightly-archive', 'evidence', 'backups', 'does-not-open', 'moving'],
      ...['privacy', 'leaving', 'office', 'office-database'],
      ...['connection-trouble', 'network', 'settings', 'updates', 'links', 'command-line'],
      ...['limits', 'glossary', 'keyboard', 'questions'],
    ]);
  });

  it('is checked from its files: a copy without one picture fails', async () => {
    const copy = await mkdtemp(path.join(tmpdir(), 'guide-'));
    onTestFinished(() => rm(copy, { recursive: true }));
    for (const part of ['guide', 'messages', 'app', 'features', 'window']) {
      await cp(place('renderer', part), path.join(copy, part), { recursive: true });
    }
    expect(await guideProblems(copy)).toEqual([]);
    await rm(path.join(copy, 'guide/pictures/draft.webp'));
    expect((await guideProblems(copy)).join('\n')).toContain('draft.webp, which is not there');
  });
});

describe('the check of the guide', () => {
  it('finds no problem in a correct guide', async () => {
    expect(await problemsOf({})).toEqual([]);
    const fine = '{held seconds=10} or {sign count=3}, see [now](#now) and [all](contents.md).';
    expect(await problemsOf(sending(fine))).toEqual([]);
  });

  it.each([
    ['a name that the window does not have', 'Press {sned}.', 'no message sned'],
    ['a name that lacks its value', 'Press {held}.', 'held needs seconds'],
    ['a plural that lacks its number', 'Press {sign}.', 'sign needs count'],
    ['keys that nothing has', 'Press {keys F9}.', 'no command has the keys F9'],
    ['a page that is not there', 'See [it](nowhere.md).', 'leads to nowhere.md'],
    ['a heading that is not there', 'See [it](contents.md#never).', 'contents.md#never'],
    ['an address outside of the guide', 'See [it](https://example.com).', 'no page of the guide'],
    ['a picture that is not there', '![All of it](../pictures/a.webp)', 'a.webp, which is not'],
    ['a name that could drift', 'Press **Send**.', 'bold is for names'],
    ['HTML', 'A <b>word</b>.', 'nothing draws html'],
    ['braces around no message', 'Press {Send now!}.', 'in braces stands a message'],
    ['a second title', '# Again', 'one title'],
    ['a name in a heading', '## Press {send}', 'a heading is plain text'],
    ['one heading twice', '## Now', 'two headings'],
  ])('reports %s', async (_, text, said) => {
    const problems = await problemsOf(sending(text));
    expect(problems.join('\n')).toContain(said);
    expect(problems[0]).toContain('sending.md');
  });

  it.each([
    ['a page is missing', { sending: '' }, 'contents.md does not name'],
    [
      'a heading is missing',
      { sending: '# Skicka\n\nTryck på {send}, {keys F8}.\n' },
      'its headings',
    ],
    ['another button is named', sending('Tryck på {held seconds=5}.'), 'its names'],
  ])('reports where in Swedish %s', async (what, swedish, said) => {
    const problems = await problemsOf({}, { swedish });
    const wanted = what === 'a page is missing' ? 'guide/sv lacks sending.md' : said;
    expect(problems.join('\n')).toContain(wanted);
  });

  it('reports an unused picture, and too many bytes of pictures', async () => {
    const problems = await problemsOf({}, { pictures: { 'a.webp': 1_600_001 } });
    expect(problems.join('\n')).toContain('a.webp is shown nowhere');
    expect(problems.join('\n')).toContain('has 1600001 bytes');
  });

  it('reports a picture without an alternative text', async () => {
    const text = '![](../pictures/a.webp)';
    const problems = await problemsOf(sending(text), { pictures: { 'a.webp': 40 } });
    expect(problems.join('\n')).toContain('nobody who cannot see a.webp');
  });

  it('reports a page that is missing in the contents', async () => {
    expect((await problemsOf({ spare: '# Spare\n' })).join('\n')).toContain('does not name spare');
  });
});

describe('a page of the guide', () => {
  it('is parsed into a tree without HTML, with GitHub’s anchors', () => {
    const page = readPage(
      'a',
      '# Title\n\n## Går det, så här?\n\n1. Tryck {send}.\n\n   `a <b>`\n\n> Note & _more_\n',
    );
    expect(page).toEqual({
      name: 'a',
      title: 'Title',
      blocks: [
        { kind: 'heading', level: 2, anchor: 'går-det-så-här', text: 'Går det, så här?' },
        {
          kind: 'list',
          ordered: true,
          items: [
            [
              {
                kind: 'paragraph',
                inside: [
                  { kind: 'text', text: 'Tryck ' },
                  { kind: 'name', key: 'send', values: {} },
                  { kind: 'text', text: '.' },
                ],
              },
              { kind: 'paragraph', inside: [{ kind: 'code', text: 'a <b>' }] },
            ],
          ],
        },
        {
          kind: 'note',
          inside: [
            {
              kind: 'paragraph',
              inside: [
                { kind: 'text', text: 'Note & ' },
                { kind: 'emphasis', inside: [{ kind: 'text', text: 'more' }] },
              ],
            },
          ],
        },
      ],
    });
  });
});
