import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { englishProblems, HABITS } from '../../build/checks/plain-english.ts';

/** A sentence for each pattern and the part that it finds, in the order of the patterns. */
const planted = [
  ['Somebody signed it.', 'Somebody'],
  ['Then nobody signs it.', 'nobody'],
  ['Nothing is sent.', 'Nothing'],
  ['This is no PDF.', 'is no'],
  ['What waits is sent.', 'What'],
  ['Send the ones that wait.', 'ones that'],
  ['Whoever signs it sees it.', 'Whoever'],
  ['Begin anew.', 'anew'],
  ['It changed meanwhile.', 'meanwhile'],
  ['It is deleted for good.', 'for good'],
  ['It is sent at once.', 'at once'],
  ['Choose it, else it waits.', ', else'],
  ['You can take it back.', 'take it back'],
  ['It goes out today.', 'goes out'],
  ['Leave it out.', 'Leave it out'],
  ['It takes in the files.', 'takes in'],
  ['It runs by itself.', 'by itself'],
  ['Use this in place of that.', 'in place of'],
  ['It is beside the file.', 'beside'],
  ['It stands here.', 'stands'],
  ['The party is told.', 'told'],
  ['The list says it.', 'says'],
  ['It asks you.', 'asks'],
  ['So many are left.', 'So many'],
  ['It needs you.', 'needs you'],
  ['See what became of it.', 'became of'],
  ['It was mended.', 'mended'],
  ['Choose a receiver.', 'receiver'],
  ['Each seat has it.', 'seat'],
  ['Another desk has it.', 'desk'],
  ['Enter a telephone number.', 'telephone'],
  ['Enter the credential.', 'credential'],
  ['Switch it on.', 'Switch it on'],
  ['Choose a workbook.', 'workbook'],
  ['Enter an e-mail address.', 'e-mail'],
  ['Send an SMS.', 'SMS'],
  ['Enter the id.', 'id'],
  ["It doesn't open.", "n't"],
] as const;

/** Returns the problems of a repository that contains only these files. */
async function problemsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'english-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries({ 'renderer/messages/en.json': '{}', ...files })) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return englishProblems(folder);
}

const inWindow = (text: string) =>
  problemsOf({ 'renderer/messages/en.json': JSON.stringify({ planted: text }) });

describe('the check of plain English', () => {
  it('has an example sentence for each of its patterns', () => {
    expect(planted.map(([text]) => HABITS.findIndex(({ find }) => find.test(text)))).toEqual(
      HABITS.map((_, at) => at),
    );
  });

  it.each(planted)('finds the pattern in “%s”', async (text, words) => {
    const found = await inWindow(text);
    expect(found.filter((problem) => problem.startsWith('planted: '))).toHaveLength(1);
    expect(found.join()).toContain(words);
  });

  it('finds a sentence of more than 20 words on a screen', async () => {
    expect((await inWindow(`${'word '.repeat(20)}word.`)).join()).toContain('at most 20 words');
  });

  it.each([
    ['renderer/guide/en/sending.md', '# Sending\n\nWhoever signs it sees it.\n'],
    ['README.md', 'Whoever signs it sees it.\n'],
    ['electron/hosts/cli/commands/send.ts', "export const help = 'Whoever signs it sees it.';\n"],
    [
      'electron/core/send.ts',
      "throw new AppError('invalid', `Whoever signs ${name} sees it.`, { cause });\n",
    ],
    ['shared/rules/send.ts', "throw new AppError('invalid', 'Whoever signs it sees it.');\n"],
  ])('finds a pattern in %s', async (file, text) => {
    expect((await problemsOf({ [file]: text })).join('\n')).toContain(`${file}: "Whoever"`);
  });

  it('skips code and labels of a document', async () => {
    const text = '# What it says\n\n```sh\ndesk whoever\n```\n\n| What | Whoever |\n';
    expect((await problemsOf({ 'README.md': text })).join('\n')).not.toContain('README.md');
  });
});
