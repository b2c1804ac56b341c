import { describe, expect, it } from 'vitest';
import { DEFAULT_NAME_PATTERN } from '../../../shared/contract/settings.ts';
import { fileName, foldName, unknownToken } from '../../../shared/rules/files/file-name.ts';

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const tokens = (title: string, id = ID) => ({
  id,
  title,
  parties: ['Anna', 'Bolaget AB'],
  connection: 'Inköp',
  closedAt: Date.UTC(2027, 2, 1, 23, 30),
});
const named = (title: string): string => fileName('{title}', tokens(title), new Set());

const DEVICES = [
  'CON',
  'con.pdf',
  'AUX.tar',
  'PRN',
  'NUL',
  'nul .x',
  'CONIN$',
  'CONOUT$',
  'CLOCK$',
  'LPT0',
  ...Array.from({ length: 9 }, (_, index) => `COM${index + 1}`),
  ...Array.from({ length: 9 }, (_, index) => `lpt${index + 1}.txt`),
  'COM¹',
  'COM²',
  'COM³',
  'LPT¹',
  'CON ',
  ' aux',
  'CON.',
  '.con',
  '-nul',
  'CON:x',
  'con\u200b',
  'CO\u00adN',
  'nul.tar.gz',
];
const PATHS = [
  '../../x',
  '..\\..\\x',
  '/etc/x',
  'C:\\x',
  'C:x',
  '\\\\srv\\s',
  'x:stream',
  '..',
  '.',
  '...',
  './x',
  'a/../b',
  'x/',
  '//x',
  '~root',
  '~/x',
  '\\x',
  '／etc／x',
  '＼＼srv',
  'C：x',
  '⁄x',
  '∕x',
  '%2e%2e',
  '%0A',
  '%2fetc',
  'file:///x',
];
const UNSEEN = [
  '\0',
  'a\0b',
  'a\nb',
  'a\rb',
  'a\tb',
  'a\u007fb',
  'a\u0085b',
  'Avtal\u202efdp.exe',
  'a\u2066b\u2069',
  'a\u200bb',
  'a\u200db',
  'a\u2028b',
  'a\u2029b',
  '\ufeffa',
  'a\u061cb',
  '\ud800',
  'a\udc00b',
  '\u3164',
  '\u00a0',
  '\u2003x\u2003',
  '\ue000',
  '\u{e0001}x',
  '\u001b[31mx',
];
const EDGES = [
  '',
  ' ',
  '   ',
  '.',
  'x.',
  'x ',
  'x. .',
  ' x',
  '.x',
  '-x',
  '--help',
  '~x',
  '....',
  '- -',
  '_',
];
const SIGNS = [
  '<',
  '>',
  ':',
  '"',
  '/',
  '\\',
  '|',
  '?',
  '*',
  'a<b>c',
  'what?',
  '"q"',
  '＜＞',
  '？＊',
  '|',
];
const LONG = [
  'å'.repeat(128),
  'x'.repeat(300),
  '中'.repeat(100),
  '👨‍👩‍👧‍👦'.repeat(40),
  `${'x'.repeat(119)}👍🏽`,
  `e${'\u0301'.repeat(400)}`,
  `${'x'.repeat(118)}. y`,
  '🇸🇪'.repeat(60),
  'A\u030a'.repeat(200),
];
const OURS = [
  'bagit.txt',
  'manifest-sha512.txt',
  'index.csv',
  'x.part',
  'desktop.ini',
  '.DS_Store',
];
const HOSTILE = [...DEVICES, ...PATHS, ...UNSEEN, ...EDGES, ...SIGNS, ...LONG, ...OURS];

/** Whether Windows, macOS and Linux accept the name unchanged, according to their documentation. */
function isLegal(name: string): boolean {
  const hasForbidden = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(name);
  const isDevice = /^(con|prn|aux|nul|clock\$|con(in|out)\$|(com|lpt)[\d¹²³])\s*(\.|$)/i.test(name);
  const isTrimmed = !/^[\s.~-]|[\s.]$/.test(name);
  const fits = Buffer.byteLength(name) <= 240 && name.length <= 200;
  return name !== '' && !hasForbidden && !isDevice && isTrimmed && fits && name.isWellFormed();
}

describe('names from hostile titles', () => {
  it('include at least 120 test titles', () => {
    expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(120);
  });

  it.each([...new Set(HOSTILE)].map((title) => [JSON.stringify(title), title]))(
    'are valid on every system and stay in the folder: %s (TX-40)',
    (_, title) => {
      const name = named(title);
      expect(isLegal(name)).toBe(true);
      expect(name).toMatch(/^[^/\\]+\.pdf$/);
      expect(name.normalize('NFC')).toBe(name);
      expect(isLegal(fileName(DEFAULT_NAME_PATTERN, tokens(title), new Set()))).toBe(true);
    },
  );

  it('never collide, however the folder compares names (TX-40)', () => {
    const titles = [
      ...HOSTILE,
      'Avtal',
      'AVTAL',
      'avtal',
      'Å',
      'A\u030a',
      'å',
      'Straße',
      'STRASSE',
      'ısı',
      'ISI',
      'İ',
      'ﬁ',
      'fi',
      'x',
      'x',
    ];
    const taken = new Set<string>();
    for (const title of titles) {
      const name = fileName('{title}', tokens(title), taken);
      expect(isLegal(name)).toBe(true);
      taken.add(foldName(name));
    }
    expect(taken.size).toBe(titles.length);
  });

  it('are never empty or invalid, for any characters', () => {
    const alphabet = [...'.. /\\:~-\0\u202e\u200b\ud800aÅ中👍🏽\u0301', 'CON', 'nul'];
    let seed = 7;
    const next = (below: number): number => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    for (let round = 0; round < 2000; round += 1) {
      const title = Array.from({ length: next(60) }, () => alphabet[next(alphabet.length)]).join(
        '',
      );
      const id = Array.from({ length: next(20) }, () => alphabet[next(alphabet.length)]).join('');
      const name = fileName('{title}', tokens(title, id), new Set());
      expect(isLegal(name), JSON.stringify({ title, id, name })).toBe(true);
    }
  });
});

describe('a file name pattern', () => {
  it('is filled with the day that the service counts, the title and the start of the ID', () => {
    const name = fileName(DEFAULT_NAME_PATTERN, tokens('Hyresavtal'), new Set());
    expect(name).toBe('2027-03-02_Hyresavtal_0f8fad5b.pdf');
  });

  it.each([
    ['{id}', `${ID}.pdf`],
    ['{parties} – {connection}', 'Anna, Bolaget AB – Inköp.pdf'],
    ['{closed:yyyy}{closed:MM}/{title}', '202703_Avtal.pdf'],
    ['{closed:dd.MM.yyyy}', '02.03.2027.pdf'],
    ['{closed}', '2027-03-02.pdf'],
    ['{unknown} {title}', '{unknown} Avtal.pdf'],
    ['{constructor}', '{constructor}.pdf'],
    ['', `${ID}.pdf`],
  ])('"%s" gives "%s"', (pattern, name) => {
    expect(fileName(pattern, tokens('Avtal'), new Set())).toBe(name);
  });

  it('distinguishes references of one account by their end, and UUIDs by their start (SC-11)', () => {
    const nameOf = (id: string): string =>
      fileName('{title}_{id8}', tokens('Ramavtal', id), new Set());
    expect(nameOf('004711000012')).toBe('Ramavtal_11000012.pdf');
    expect(nameOf('004711000013')).toBe('Ramavtal_11000013.pdf');
    expect(nameOf(ID)).toBe('Ramavtal_0f8fad5b.pdf');
    const taken = new Set([foldName('Ramavtal.pdf')]);
    expect(fileName('{title}', tokens('Ramavtal', '004711000012'), taken)).toBe(
      'Ramavtal [11000012].pdf',
    );
  });

  it('shows that the day is unknown', () => {
    const undated = { ...tokens('Avtal'), closedAt: null };
    expect(fileName('{closed:yyyy-MM-dd}', undated, new Set())).toBe('undated.pdf');
  });

  it('does not fill in tokens that are part of a title', () => {
    expect(named('{id}')).toBe('{id}.pdf');
  });

  it('uses the ID for a name in use, in any case or composition (TX-40)', () => {
    const taken = new Set([foldName('AVTAL A\u030a.pdf')]);
    expect(fileName('{title}', tokens('avtal å'), taken)).toBe('avtal å [0f8fad5b].pdf');
    taken.add(foldName('avtal å [0f8fad5b].pdf'));
    expect(fileName('{title}', tokens('avtal å'), taken)).toBe(`avtal å [${ID}].pdf`);
    taken.add(foldName(`avtal å [${ID}].pdf`));
    expect(fileName('{title}', tokens('avtal å'), taken)).toBe(`avtal å [${ID}] 2.pdf`);
  });
});

it('a date in a file name is written as yyyy, MM and dd, and in no other letters (IN-Y26)', () => {
  for (const form of ['yyyy-MM-dd', 'yyyyMMdd', 'yyyy', 'MM', 'dd.MM.yyyy', '']) {
    expect(unknownToken(`{closed:${form}}_{title}`)).toBeNull();
  }
  expect(unknownToken('{closed}_{title}')).toBeNull();
  for (const form of [
    'YYYY-MM-DD',
    'yyyy-mm-dd',
    'yy-MM-dd',
    'åååå-MM-dd',
    'TT.MM.JJJJ',
    'HH:MM',
  ]) {
    expect(unknownToken(`{title}_{closed:${form}}`)).toBe(`{closed:${form}}`);
  }
});
