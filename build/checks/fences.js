/**
 * Who may import whom, as data. The first row whose `from` matches a file decides for it.
 * Both the lint rule `desk/fence` and the tests in `test/fences` read this table.
 *
 * A `may` entry is a glob over the repository's paths (`**` any folders, `*` any name), `node:*`
 * for Node's own modules, or a package name (`name` covers `name/sub`). `anything` opens the gate.
 *
 * @typedef {{ readonly from: string, readonly may: readonly string[] }} Fence
 */

const SHARED = 'shared/**';
/** What calls carry: rules are made of it, and it knows none of them. */
const CONTRACT = ['shared/contract/**', 'shared/model/**', 'shared/errors.ts'];
/** What several features need, and each feature's own. */
const PORTS = 'electron/core/{*ports,*/ports}.ts';
/** Whole files that survive a crash: the one piece that several adapter families stand on. */
const DURABLE = 'electron/adapters/files/durable.ts';
/** What is asked of the system for it. */
const DISK = 'electron/adapters/files/disk.ts';
/** How work is given to a thread, and answered from there. */
const THREADS = 'electron/adapters/threads/**';
/** The words that open a backup, and an office's invitation. */
const PHRASE = 'electron/adapters/system/phrase.ts';
/** One process at a time; the system frees it. It guards the data's outbox, and the sealed vault. */
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

/** Looks and words, and what the features share of their window; neither knows a feature. */
const UI = ['renderer/ui/**', SHARED];
const WINDOW = ['renderer/window/**', ...UI];
/** The page's features. One may import those before it, so that no two import each other. */
const FEATURES = [
  'connections',
  'network',
  'corrections',
  'people',
  'office',
  'uploads',
  'sync',
  'reports',
  'board',
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
  'batches',
  'digest',
  'agreements',
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
    // SQLite gives up a whole file for one page: the rescue opens them one by one.
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
      // Letters outside Latin, Greek and Cyrillic: their direction, and how they join.
      'bidi-js',
      'harfbuzzjs',
      'subset-font',
      'zod',
    ],
  },
  {
    // saxes and yauzl read what others wrote, strictly; numfmt says what a cell of it shows.
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
    // Word files are ZIPs of XML, too, read with the same suspicion; pictures are put on a page.
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
    may: ['electron/adapters/vault/**', DURABLE, LOCK, PORTS, SHARED, 'node:*', 'keytar', 'zod'],
  },
  // Words of a list that is the same in every program.
  { from: PHRASE, may: [SHARED, '@scure/bip39', '@scure/bip39/**'] },
  { from: DURABLE, may: [DISK, PORTS, SHARED, 'node:*'] },
  { from: DISK, may: ['node:*'] },
  { from: 'electron/adapters/files/private-folder.ts', may: [DURABLE, 'node:*'] },
  {
    from: 'electron/adapters/files/**',
    may: ['electron/adapters/files/**', THREADS, PORTS, SHARED, 'node:*', 'zod'],
  },
  {
    // Feeds and downloads go over the transport of the services, with its checks and its deadlines.
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
    may: ['electron/adapters/network/**', DURABLE, PORTS, SHARED, 'node:*', 'zod'],
  },
  {
    // Sealed, wrapped and invited before anything leaves for the database.
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
    // tar and age are formats that their own programs open without ours.
    from: 'electron/adapters/backup/**',
    may: [
      'electron/adapters/backup/**',
      DURABLE,
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
    // The demo command plays the other parties, and checks what the service saw of the desk.
    from: 'electron/hosts/cli/commands/demo/**',
    may: [...HOST, 'electron/demo/**', 'commander'],
  },
  { from: 'electron/hosts/cli/**', may: [...HOST, 'commander'] },
  { from: 'electron/hosts/**', may: HOST },

  {
    // The one file of the page that hears a word of the core.
    from: 'renderer/window/desk.ts',
    may: [SHARED, 'zod'],
  },
  {
    // The guide as the page was built with it, and its pictures.
    from: 'renderer/features/help/texts.ts',
    may: [
      'renderer/generated/guide/**',
      'renderer/guide/pictures/**',
      'renderer/features/help/**',
      ...WINDOW,
    ],
  },
  {
    // Words come from the messages through this file alone.
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
 * Folders of which each folder is a room: a feature, a subject, a side. No two rooms of one import
 * each other, not through others either. Files beside the rooms count for one room each; `apart`
 * are those that name types of every feature and do nothing.
 *
 * @type {readonly { readonly ring: string, readonly apart: readonly string[] }[]}
 */
export const houses = [
  { ring: 'electron/core', apart: ['electron/core/ports.ts'] },
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
  ].map((ring) => ({ ring, apart: [] })),
];

/**
 * Lines a file may have; `max-lines` counts blank lines and comments too. Far above what a thought
 * needs, so that none is folded to fit.
 */
export const limits = { '.ts': 600, '.js': 600, '.svelte': 400 };

/** Files that are one long table: read by lookup, not from top to bottom. */
export const tables = ['electron/adapters/rest/v1/table.ts', 'electron/adapters/rest/v2/table.ts'];

/** The only files that may do nothing but re-export. */
export const barrels = ['shared/contract/index.ts', 'electron/adapters/sqlite/migrations/index.ts'];

/** Last words of a file name that say nothing about what is inside. */
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
 * Pairs that no row allows, whatever else it says: a host imports one window technology only;
 * what is made for one API of the service never leans on the other; the page's state and words
 * import no component and nothing that draws.
 */
const strangers = [
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
 * Whether `file` may import `target`; both are repository paths with `/`, or `target` is a package
 * or `node:` specifier. Gives the sentence that says why not, or `undefined`.
 *
 * @param {string} file
 * @param {string} target
 * @returns {string | undefined}
 */
export function validateImport(file, target) {
  const fence = fences.find((row) => matches(row.from, file));
  if (fence === undefined) return `${file} lies outside every fence of build/checks/fences.js`;
  const isStranger = strangers.some((row) => matches(row.from, file) && matches(row.never, target));
  if (!isStranger && fence.may.some((pattern) => allows(pattern, target))) return undefined;
  return `${file} may not import ${target} (build/checks/fences.js, row "${fence.from}")`;
}

/**
 * @param {string} pattern
 * @param {string} target
 */
function allows(pattern, target) {
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
