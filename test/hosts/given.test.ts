import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  passToDesk,
  isOpenableArgument,
  openableArguments,
} from '../../electron/hosts/open-arguments.ts';

const LINK = 'signingdesk:agreement/004711000001';

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-given-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function given(...words: readonly string[]): Promise<unknown[]> {
  const arrived: unknown[] = [];
  await passToDesk({ arrive: (one) => void arrived.push(one) }, words);
  return arrived;
}

describe('an argument at the start of the program', () => {
  it.each([
    [[LINK], [LINK]],
    [['SigningDesk://agreement/1'], ['SigningDesk://agreement/1']],
    [
      ['a.signdraft', '/srv/B.SIGNDRAFT'],
      ['/home/a.signdraft', '/srv/B.SIGNDRAFT'],
    ],
    [['Lease.PDF'], ['/home/Lease.PDF']],
    [[pathToFileURL('/srv/Å b.signdraft').href], ['/srv/Å b.signdraft']],
  ])('is recognised as a link or file to open: %j', (words, opened) => {
    expect(words.every(isOpenableArgument)).toBe(true);
    expect(openableArguments(words, '/home').map((word) => word.replace(/^[A-Z]:/, ''))).toEqual(
      opened.map((word) => (word === words[0] ? word : path.normalize(word))),
    );
  });

  it.each([
    'archive',
    '--data',
    '-x.signdraft',
    'a.pdf.txt',
    '-a.pdf',
    '/etc/passwd',
    'file:///etc/passwd',
  ])('is not recognised as a link or file to open: %s', (word) => {
    expect(isOpenableArgument(word)).toBe(false);
  });

  it('is ignored after a link, which may have broken out of its quotes (TX-61)', () => {
    const words = [LINK, '--data', '/evil', '/home/ada/secret.signdraft'];
    expect(openableArguments(words, '/')).toEqual([LINK]);
  });

  it('is a link only if it comes first, so that no link hides among files (TX-61)', () => {
    expect(openableArguments(['/a.signdraft', LINK, '--vault', 'x'], '/')).toEqual([
      path.resolve('/a.signdraft'),
    ]);
  });
});

describe('a file to open', () => {
  it('is read immediately, and only its base name is passed on (TX-61)', async () => {
    writeFileSync(at('lease.signdraft'), '{}');
    expect(await given(at('lease.signdraft'))).toEqual([
      { kind: 'file', name: 'lease.signdraft', data: Buffer.from('{}') },
    ]);
  });

  it('is refused if it is missing, a folder, too large, or on another computer (TX-61)', async () => {
    mkdirSync(at('folder.signdraft'));
    writeFileSync(at('large.signdraft'), '');
    truncateSync(at('large.signdraft'), 64 * 1024 * 1024 + 1);
    const names = ['gone.signdraft', 'folder.signdraft', 'large.signdraft'];
    // Each address refers to a file on another computer on its system.
    const far = process.platform === 'win32' ? 'file:%2f/x.signdraft' : 'file://server/x.signdraft';
    const arrived = await given(...names.map(at), ...openableArguments([far], '/'));
    expect(arrived).toEqual([...names, 'x.signdraft'].map((name) => ({ kind: 'no-file', name })));
  });

  it.runIf(process.platform === 'linux')(
    'is refused without waiting if it is a pipe (TX-61)',
    async () => {
      execFileSync('mkfifo', [at('pipe.signdraft')]);
      expect(await given(at('pipe.signdraft'))).toEqual([
        { kind: 'no-file', name: 'pipe.signdraft' },
      ]);
    },
  );
});
