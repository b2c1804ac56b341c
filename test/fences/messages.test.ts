import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { messageProblems } from '../../build/checks/messages.ts';
import { place } from '../../build/places.ts';
import { languages } from '../../shared/model/languages.ts';

const forms = (match: Record<string, string>) => [
  {
    declarations: ['input count', 'local countPlural = count: plural'],
    selectors: ['countPlural'],
    match: Object.fromEntries(
      Object.entries(match).map(([form, text]) => [`countPlural=${form}`, text]),
    ),
  },
];

/** Returns the problems of two languages, English and Polish, with one message each. */
async function problemsOf(english: unknown, polish: unknown): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'messages-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'en.json'), JSON.stringify({ sent: english }));
  await writeFile(path.join(folder, 'pl.json'), JSON.stringify({ sent: polish }));
  return messageProblems(folder);
}

const english = forms({ one: 'One was sent', other: '{count} were sent' });
const few = '{count} wysłane';
const many = '{count} wysłanych';

describe('the messages of a language', () => {
  it('exist for every language of the window, and for no other', async () => {
    const files = await readdir(place('renderer/messages'));
    const found = files.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
    expect(found.toSorted()).toEqual(languages.toSorted());
    const settings = place('renderer/messages/project.inlang/settings.json');
    const { locales } = JSON.parse(await readFile(settings, 'utf8')) as { locales: string[] };
    expect(locales.toSorted()).toEqual(languages.toSorted());
  });

  it('are valid if they have the same meaning in the forms of their language', async () => {
    const polish = forms({ one: 'Jedna wysłana', few, many, other: few });
    expect(await problemsOf(english, polish)).toEqual([]);
    expect(await problemsOf('{title} is gone', 'Nie ma {title}')).toEqual([]);
  });

  it.each([
    ['a form is missing', english, forms({ one: few, many, other: many }), 'its forms must be'],
    [
      'a form is of no use',
      english,
      forms({ one: few, two: few, few, many, other: many }),
      'forms',
    ],
    [
      'a form leaves the number out',
      english,
      forms({ one: few, few: 'Kilka', many, other: many }),
      '=few',
    ],
    ['a value is not known', english, forms({ one: '{title}', few, many, other: many }), '=one'],
    ['a text has another value', '{title} is gone', 'Nie ma {name}', 'values'],
    ['a text has lost its value', '{title} is gone', 'Nie ma', 'values'],
    ['a text has no forms', english, '{count} wysłane', 'only one of it'],
  ])('are refused when %s', async (_, one, other, says) => {
    const problems = await problemsOf(one, other);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('pl.json, "sent"');
    expect(problems[0]).toContain(says);
  });
});
