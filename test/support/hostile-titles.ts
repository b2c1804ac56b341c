const devices = ['CON', 'con.pdf', 'AUX.tar', 'PRN', 'NUL', 'CONIN$', 'CONOUT$', 'CLOCK$', 'LPT0'];
const ports = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((n) => [`COM${n}`, `lpt${n}.txt`]);
const paths = [
  ...['../../x', '..\\..\\x', '/etc/x', 'C:\\x', 'C:x', '\\\\srv\\s', 'x:stream', '..', '.', '...'],
  ...[
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
    'file:///x',
  ],
];
const unseen = [
  ...[
    'a\u0000b',
    'a\nb',
    'a\tb',
    'a\u007fb',
    'a\rb',
    '\u001b[2J',
    'Avtal\u202Efdp.exe',
    'a\u2066b\u2069',
  ],
  ...[
    'a\u200bb',
    'a\u2028b',
    'a\u2029b',
    '\ufeffa',
    'a\u00adb',
    '\u3164',
    '\u115f',
    'a\u061cb',
    '\u0085',
  ],
];
const forbidden = [...'<>:"/\\|?*%'].flatMap((sign) => [sign, `a${sign}b`]);
const edges = [
  ...['trailing.', 'trailing ', '. lead', '-rf', '.hidden', ' ', '', '   ', 'a...', '- -', '~'],
  ...['%0A', '%2e%2e%2f', '%00', '$(x)', '`x`', ';rm', '&x', "'x'", '!x', '{title}', '{id}'],
];
const twins = [
  ...['Åsa', 'A\u030asa', 'åsa', 'ÅSA', 'Straße', 'STRASSE', 'ıstanbul', 'Istanbul', 'İstanbul'],
  ...['ﬁle', 'file', 'FILE', 'Café', 'Cafe\u0301', '①', '1', 'Ω', 'Ω'],
];
const long = [
  ...['å'.repeat(128), 'x'.repeat(300), '👨‍👩‍👧‍👦'.repeat(40), '\ud800', 'a\udfffb', '🇸🇪'.repeat(60)],
  ...[
    '漢'.repeat(100),
    'e\u0301'.repeat(200),
    `${'x'.repeat(118)}é`,
    'bagit.txt',
    'manifest-sha512.txt',
  ],
  ...['manifest-sha256.txt', 'index.csv', 'index.xlsx', 'run-log.csv', 'TEST', 'DEMO'],
];

/** Titles that would escape from a folder, hide a file type, or collide on some disk. */
export const hostileTitles: readonly string[] = [
  ...[...devices, ...ports, ...paths, ...unseen, ...forbidden, ...edges, ...twins, ...long],
];
