/**
 * Import rules as data: which files may import which modules. The first row whose `from` matches a
 * file applies to it. Both the lint rule `desk/fence` and the tests in `test/fences` read this
 * table. A `may` entry is a glob over the repository's paths (`**` any folders, `*` any name),
 * `node:*` for Node's own modules, or a package name (`name` covers `name/sub`). `anything` allows
 * every import.
 * @typedef {{ readonly from: string, readonly may: readonly string[] }} Fence
 */

const SHARED = 'shared/**';
/** Types of the calls. Rules import these types; the types import no rules. */
const CONTRACT = ['shared/contract/**', 'shared/model/**', 'shared/errors.ts'];
/** Ports that several features share, and ports of single features. */
const PORTS = 'electron/core/{*ports,*/ports,*/*/ports}.ts';
/** Module that writes whole files that survive a crash. Several families of adapters import it. */
const DURABLE_FILE_MODULE = 'electron/adapters/files/durable.ts';
/** Module with the calls of `DURABLE_FILE_MODULE` to the system. */
const DISK = 'electron/adapters/files/disk.ts';
/** Modules that pass work to a thread and return its answers. */
const THREADS = 'electron/adapters/threads/**';
/** Module for the words that open a backup or an office's invitation. */
const PHRASE = 'electron/adapters/system/phrase.ts';
/**
 * Module of the lock that only one process gets at a time, and that the system releases. The lock
 * guards the outbox of the data, and the sealed vault.
 */
const LOCK = 'electron/adapters/sqlite/open/lock.ts';
const HOST = ['electron/compose/compose.ts', 'electron/hosts/**', SHARED, 'node:*'];
const PAGE_LIBRARIES = [
  'svelte',
  'bits-ui',
  '@lucide/svelte',
  '@internationalized/date',
  'tinykeys',
  'pdfjs-dist',
];

/**
 * Styles, texts and the parts of the window that the features share; none of them imports a
 * feature.
 */
const UI = ['renderer/ui/**', SHARED];
const WINDOW = ['renderer/window/**', ...UI];
/**
 * Features of the page. Each may import the features before it in this list, so that no two import
 * each other.
 */
const FEATURES = [
  'connections',
  'network',
  'corrections',
  'people',
  'office',
  'uploads',
  'sync',
  'reports',
  'updates',
  'archive',
  'outbox',
  'evidence',
  'actions',
  'drafts',
  'templates',
  'intake',
  'backup',
  'reminders',
  'automation',
  'batches',
  'digest',
  'agreements',
  'board',
  'links',
  'signing',
  'identities',
  'privacy',
  'takeout',
  'settings',
  'help',
  'onboarding',
];
const FEATURE_FENCES = FEATURES.map((name, at) => ({
  from: `renderer/features/${name}/**`,
  may: [
    ...FEATURES.slice(0, at + 1).map((lower) => `renderer/features/${lower}/**`),
    ...WINDOW,
    ...PAGE_LIBRARIES,
  ],
}));

/** @type {readonly Fence[]} */
export const fences = [
  { from: 'shared/wire.ts', may: [SHARED, 'zod', 'birpc'] },
  { from: 'shared/model/**', may: ['shared/model/**', 'zod'] },
  { from: 'shared/contract/**', may: [...CONTRACT, 'zod'] },
  { from: 'shared/rules/**', may: ['shared/rules/**', ...CONTRACT, 'zod', 'libphonenumber-js'] },
  { from: 'shared/**', may: [SHARED, 'zod'] },

  { from: 'electron/core/**', may: ['electron/core/**', SHARED] },

  {
    from: 'electron/adapters/rest/**',
    may: ['electron/adapters/rest/**', PORTS, SHARED, 'node:*', 'undici', 'zod'],
  },
  {
    // The rescue reads a damaged file page by page, because SQLite rejects a whole file if one page
    // is damaged.
    from: 'electron/adapters/sqlite/rescue/**',
    may: [
      'electron/adapters/sqlite/**',
      THREADS,
      PORTS,
      SHARED,
      'node:*',
      'better-sqlite3',
      '@noble/ciphers',
      'zod',
    ],
  },
  {
    from: 'electron/adapters/sqlite/**',
    may: ['electron/adapters/sqlite/**', THREADS, PORTS, SHARED, 'node:*', 'better-sqlite3', 'zod'],
  },
  {
    from: 'electron/adapters/pdf/**',
    may: [
      'electron/adapters/pdf/**',
      THREADS,
      PORTS,
      SHARED,
      'node:*',
      'pdf-lib',
      'pdfjs-dist',
      '@pdf-lib/fontkit',
      // Packages for scripts other than Latin, Greek and Cyrillic: their direction, and how their
      // characters join.
      'bidi-js',
      'harfbuzzjs',
      'subset-font',
      'zod',
    ],
  },
  {
    // Parsers for foreign files: saxes and yauzl are strict; numfmt formats a cell as it is
    // displayed.
    from: 'electron/adapters/sheets/**',
    may: [
      'electron/adapters/sheets/**',
      THREADS,
      PORTS,
      SHARED,
      'node:*',
      'numfmt',
      'papaparse',
      'saxes',
      'write-excel-file',
      'yauzl',
      'zod',
    ],
  },
  {
    // Word files are ZIPs of XML, as spreadsheets are, and are read as strictly. Pictures are put
    // on a page of a PDF.
    from: 'electron/adapters/documents/**',
    may: [
      'electron/adapters/documents/**',
      'electron/adapters/sheets/{read,write}/zip.ts',
      THREADS,
      PORTS,
      SHARED,
      'node:*',
      'pdf-lib',
      'saxes',
      'zod',
    ],
  },
  {
    from: 'electron/adapters/vault/**',
    may: [
      'electron/adapters/vault/**',
      DURABLE_FILE_MODULE,
      LOCK,
      PORTS,
      SHARED,
      'node:*',
      'keytar',
      'zod',
    ],
  },
  // The list of words (BIP 39) is the same in every program.
  { from: PHRASE, may: [SHARED, '@scure/bip39', '@scure/bip39/**'] },
  { from: DURABLE_FILE_MODULE, may: [DISK, PORTS, SHARED, 'node:*'] },
  { from: DISK, may: ['node:*'] },
  { from: 'electron/adapters/files/private-folder.ts', may: [DURABLE_FILE_MODULE, 'node:*'] },
  {
    from: 'electron/adapters/files/**',
    may: ['electron/adapters/files/**', THREADS, PORTS, SHARED, 'node:*', 'zod'],
  },
  {
    // Feeds and downloads use the transport of the services, with its checks and its timeouts.
    from: 'electron/adapters/updates/**',
    may: [
      'electron/adapters/updates/**',
      'electron/adapters/rest/http/**',
      PORTS,
      SHARED,
      'node:*',
      'electron-updater',
      'zod',
    ],
  },
  {
    from: 'electron/adapters/network/**',
    may: ['electron/adapters/network/**', DURABLE_FILE_MODULE, PORTS, SHARED, 'node:*', 'zod'],
  },
  {
    // Data is sealed, and keys are wrapped, before anything is sent to the database.
    from: 'electron/adapters/office/**',
    may: [
      'electron/adapters/office/**',
      PHRASE,
      PORTS,
      SHARED,
      'node:*',
      'age-encryption',
      'pg',
      'zod',
    ],
  },
  {
    // Backups have formats that the tools tar and age can open without our program.
    from: 'electron/adapters/backup/**',
    may: [
      'electron/adapters/backup/**',
      DURABLE_FILE_MODULE,
      PHRASE,
      THREADS,
      PORTS,
      SHARED,
      'node:*',
      'age-encryption',
      'tar-stream',
      'zod',
    ],
  },
  {
    from: 'electron/adapters/cards/**',
    may: ['electron/adapters/cards/**', THREADS, PORTS, SHARED, 'node:*', 'zod'],
  },
  { from: THREADS, may: [THREADS, SHARED, 'node:*', 'birpc'] },
  { from: 'electron/adapters/**', may: [PORTS, SHARED, 'node:*'] },

  {
    from: 'electron/demo/pdf/**',
    may: ['electron/demo/**', 'shared/model/**', 'node:*', 'pdf-lib', '@pdf-lib/fontkit'],
  },
  { from: 'electron/demo/**', may: ['electron/demo/**', 'shared/model/**', 'node:*'] },

  {
    // The demo service is loaded on first use, so that real work never waits for it.
    from: 'electron/compose/**',
    may: [
      'electron/compose/**',
      'electron/core/**',
      'electron/adapters/**',
      'electron/demo/**',
      SHARED,
      'node:*',
    ],
  },

  {
    from: 'electron/hosts/electron/{main,guard,links,menus,preload,updates,crashes,features,login,power,quitting,tray}.ts',
    may: [...HOST, 'electron'],
  },
  { from: 'electron/hosts/chromium/{code-cache,find-browser}.ts', may: HOST },
  { from: 'electron/hosts/chromium/**', may: [...HOST, 'playwright'] },
  {
    // The demo command acts as the other parties, and checks the requests that the service
    // received.
    from: 'electron/hosts/cli/commands/demo/**',
    may: [...HOST, 'electron/demo/**', 'commander'],
  },
  { from: 'electron/hosts/cli/**', may: [...HOST, 'commander'] },
  { from: 'electron/hosts/**', may: HOST },

  {
    // The only file of the page that imports from the core.
    from: 'renderer/window/desk.ts',
    may: [SHARED, 'zod'],
  },
  {
    // The only file that imports the guide, as built into the page, and its pictures.
    from: 'renderer/features/help/texts.ts',
    may: [
      'renderer/generated/guide/**',
      'renderer/guide/pictures/**',
      'renderer/features/help/**',
      ...WINDOW,
    ],
  },
  {
    // Texts come from the messages only through this file.
    from: 'renderer/ui/language.svelte.ts',
    may: ['renderer/generated/**', SHARED],
  },
  { from: 'renderer/ui/**', may: [...UI, ...PAGE_LIBRARIES] },
  { from: 'renderer/window/**', may: [...WINDOW, ...PAGE_LIBRARIES] },
  ...FEATURE_FENCES,
  { from: 'renderer/app/**', may: ['renderer/**', SHARED, ...PAGE_LIBRARIES] },

  { from: 'build/**', may: ['anything'] },
  { from: 'test/**', may: ['anything'] },
];

/**
 * Folders whose subfolders must not import each other, directly or through others. Each subfolder
 * is a feature or a subject. Files next to the subfolders count as a subfolder each; `ignored`
 * lists files that only name types of every feature.
 * @type {readonly { readonly folder: string, readonly ignored: readonly string[] }[]}
 */
export const layers = [
  { folder: 'electron/core', ignored: ['electron/core/ports.ts'] },
  ...[
    'electron',
    'electron/adapters',
    'electron/adapters/rest',
    'electron/adapters/sqlite',
    'electron/adapters/sheets',
    'electron/demo',
    'electron/hosts',
    'electron/hosts/cli',
    'electron/hosts/cli/commands',
    'renderer',
    'renderer/features',
    'shared',
    'shared/contract',
    'shared/rules',
  ].map((folder) => ({ folder, ignored: [] })),
];

/**
 * Maximum lines of a file; the rule `max-lines` counts blank lines and comments too. Large enough
 * that no code has to be compressed to fit.
 */
export const limits = { '.ts': 600, '.js': 600, '.svelte': 400 };

/** Files that are one long table, which readers search instead of reading from top to bottom. */
export const tables = ['electron/adapters/rest/v1/table.ts', 'electron/adapters/rest/v2/table.ts'];

/** The only files that may do nothing but re-export. */
export const barrels = ['shared/contract/index.ts', 'electron/adapters/sqlite/migrations/index.ts'];

/** Last words of a file name that do not describe its content. */
export const emptyNames = [
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'misc',
  'types',
  'manager',
];

/**
 * Imports that are forbidden even if a row of `fences` allows them: a host imports only one window
 * technology; code for one API of the service never depends on the other API; the page's state and
 * texts import no component and no drawing code.
 */
const forbiddenImports = [
  { from: 'electron/hosts/electron/**', never: 'electron/hosts/chromium/**' },
  { from: 'electron/hosts/chromium/**', never: 'electron/hosts/electron/**' },
  { from: 'electron/hosts/cli/**', never: 'electron/hosts/{electron,chromium}/**' },
  ...['electron/adapters/rest', 'electron/demo', 'shared/rules/drafts'].flatMap((folder) => [
    { from: `${folder}/v1/**`, never: `${folder}/v2/**` },
    { from: `${folder}/v2/**`, never: `${folder}/v1/**` },
  ]),
  { from: 'renderer/{ui,window,features}/**/*.ts', never: 'renderer/**/*.svelte' },
  {
    from: 'renderer/{window,features}/**/*.ts',
    never: '{@lucide/svelte,@internationalized/date,bits-ui,pdfjs-dist,tinykeys}**',
  },
];

/**
 * Returns a sentence with the reason if `file` must not import `target`, otherwise `undefined`.
 * Both are repository paths with `/`, or `target` is a package or `node:` specifier.
 * @param {string} file
 * @param {string} target
 * @returns {string | undefined}
 */
export function validateImport(file, target) {
  const fence = fences.find((row) => matches(row.from, file));
  if (fence === undefined) return `${file} lies outside every fence of build/checks/fences.js`;
  const isStranger = forbiddenImports.some(
    (row) => matches(row.from, file) && matches(row.never, target),
  );
  if (!isStranger && fence.may.some((pattern) => allowsTarget(pattern, target))) return undefined;
  return `${file} may not import ${target} (build/checks/fences.js, row "${fence.from}")`;
}

/**
 * @param {string} pattern
 * @param {string} target
 */
function allowsTarget(pattern, target) {
  if (pattern === 'anything') return true;
  if (pattern === 'node:*') return target.startsWith('node:');
  return matches(pattern, target) || target.startsWith(`${pattern}/`);
}

/**
 * @param {string} pattern
 * @param {string} path
 */
function matches(pattern, path) {
  const source = pattern
    .replaceAll(/[.+^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{([^{}]*)\}/g, (_, names) => `(?:${names.replaceAll(',', '|')})`)
    .replaceAll(/\*\*\/?|\*/g, (stars) => (stars.startsWith('**') ? '.*' : '[^/]*'));
  return new RegExp(`^${source}$`).test(path);
}
