import type * as z from 'zod';
import { BACKUP_EXTENSION } from './contract/backup.ts';
import type { CallName, Calls } from './contract/index.ts';
import { DRAFT_EXTENSION } from './rules/drafts/extensions.ts';

/**
 * Everything the page may request from its host and the core, with the reason. Both window hosts
 * and the core read this table and reject everything without an entry. Messages of the page are the
 * calls of the contract, parsed there; `pathArguments` limits the paths and addresses in their
 * arguments. The page shows text from other companies: if a script ever got in, it could reach only
 * this.
 */

interface Request {
  /** `own` is the private origin of the host; the other schemes reach nothing outside. */
  readonly from: 'own' | 'data:' | 'blob:';
  readonly methods: readonly string[];
  /** Path prefixes, for `own` only. */
  readonly paths: readonly string[];
  readonly why: string;
}

/** An entry whose name has a meaning only for the host. */
interface Named {
  readonly name: string;
  readonly why: string;
}

/**
 * Names as in the Permissions API and in Electron's handlers, and devices: `usb`, `hid`, `serial`,
 * `bluetooth`, `midi`, a screen. Copying text needs no permission, because the page's own command
 * does it.
 */
export const permissions: readonly Named[] = [];

export const windows: readonly Named[] = [];

/** Schemes passed to the system, such as `mailto:`, or `https:` for its browser. */
export const links: readonly Named[] = [];

export const navigation: readonly Named[] = [
  { name: 'index.html', why: 'the page itself; its screens lie behind the #' },
];

export const requests: readonly Request[] = [
  {
    from: 'own',
    methods: ['GET'],
    paths: ['/'],
    why: 'the files of the page, answered by name from its own folder, and the bytes of documents',
  },
  {
    from: 'own',
    methods: ['POST'],
    paths: ['/bytes/in'],
    why: 'a file that a person chose is too large for a call',
  },
  { from: 'data:', methods: ['GET'], paths: [], why: 'pictures that the page itself wrote out' },
  { from: 'blob:', methods: ['GET'], paths: [], why: 'pictures that pdf.js keeps in memory' },
];

/**
 * Path prefixes of the private origin that the browser may save as a file. None: `files.save`
 * writes the bytes of a call for the user, reports the place, and never overwrites a file.
 */
export const downloads: readonly Named[] = [];

/** Kind of a path argument, and the limits on its value. */
export type PathBound =
  /**
   * An existing folder on this computer, or one with an existing parent; chosen in the host's
   * dialog.
   */
  | { readonly kind: 'folder' }
  /** A new file in such a folder, with one of these extensions. */
  | { readonly kind: 'file'; readonly endings: readonly string[] }
  /** A file name, which `files.save` makes safe, with one of these extensions. */
  | { readonly kind: 'name'; readonly endings: readonly string[] }
  /** Only files that the program wrote there itself, see `core/host.ts`. */
  | { readonly kind: 'own-work' }
  /** Becomes part of a file name or a request; never used as a path or opened on this computer. */
  | { readonly kind: 'text'; readonly why: string }
  /**
   * Checked by `electron/adapters/rest/http/address.ts`: https, no user name before the host,
   * redirects never followed.
   */
  | { readonly kind: 'service' };

type Keys<Input> = Input extends unknown ? keyof Input & string : never;
type PathArguments = {
  readonly [Name in CallName]?: {
    readonly [Key in Keys<z.output<Calls[Name]['input']>>]?: PathBound;
  };
};

const FOLDER = { kind: 'folder' } as const;
const SERVICE = { kind: 'service' } as const;
const OWN_WORK = { kind: 'own-work' } as const;
const NAMES = { kind: 'text', why: 'names of folders, each made safe by `folderNames`' } as const;
const TIMES = { kind: 'text', why: 'from and to are hours of a day' } as const;
const LABEL = { kind: 'text', why: 'shown, and kept as the name of a copy' } as const;
const BODY = { kind: 'text', why: 'links in it go to the service and are shown as text' } as const;
const file = (...endings: string[]): PathBound => ({ kind: 'file', endings });

/** Every call argument that names a path, an address or a file. */
export const pathArguments = {
  'host.openPath': { path: OWN_WORK },
  'host.dragFile': { path: OWN_WORK },
  'settings.write': { archiveFolder: FOLDER, evidenceFolder: FOLDER },
  'connections.add': { url: SERVICE },
  'connections.try': { url: SERVICE },
  'agreements.download': { file: file('.pdf') },
  'agreements.saveCopies': { folder: FOLDER },
  'actions.saveDocuments': { folder: FOLDER },
  'drafts.create': { content: BODY },
  'drafts.save': { content: BODY },
  'drafts.export': { file: file(DRAFT_EXTENSION) },
  'templates.add': { fileName: LABEL },
  'templates.learn': { from: LABEL },
  'templates.save': { content: BODY },
  'templates.replacePdf': { fileName: LABEL },
  'templates.savePdf': { folder: FOLDER },
  'batches.create': { fileName: LABEL },
  'people.readImport': { fileName: LABEL },
  'people.everything': { folder: FOLDER },
  'reminders.saveRule': { hours: TIMES },
  'reminders.preview': { rule: TIMES },
  'intake.saveRule': { folder: FOLDER },
  'intake.watch': { folder: FOLDER },
  'evidence.verify': { anchors: file('.json') },
  'evidence.export': { file: file('.json', '.csv') },
  'evidence.statement': { file: file('.pdf') },
  'evidence.anchor': { folder: FOLDER },
  'archive.run': { folder: FOLDER, subfolder: NAMES },
  'archive.preview': { folder: LABEL, subfolder: NAMES },
  'archive.verify': { folder: FOLDER },
  'archive.bag': { folder: FOLDER, to: FOLDER },
  'archive.saveRule': { folder: FOLDER, subfolder: NAMES },
  'backup.setUp': { folder: FOLDER },
  'backup.savePlan': { folder: FOLDER },
  'backup.move': { folder: FOLDER },
  'backup.page': { file: file('.pdf') },
  'backup.check': { file: file(BACKUP_EXTENSION) },
  'backup.look': { file: file(BACKUP_EXTENSION) },
  'backup.find': { folder: FOLDER },
  'backup.saveFile': { folder: FOLDER },
  'backup.saveEvidence': { to: file('.json') },
  'backup.restore': { file: file(BACKUP_EXTENSION), folder: FOLDER },
  'takeout.write': { folder: FOLDER },
  'takeout.look': { folder: FOLDER },
  'takeout.import': { folder: FOLDER },
  'backup.restoreLook': { folder: FOLDER },
  'backup.recover': { folder: FOLDER },
  'files.save': {
    folder: FOLDER,
    fileName: {
      kind: 'name',
      endings: ['.csv', '.eml', '.xlsx', '.signmap', '.signoffice', '.signtemplate'],
    },
  },
  'updates.setFeed': {
    feed: { kind: 'text', why: 'only https is asked, and a person confirms each installation' },
  },
  'reports.write': { file: file('.csv', '.xlsx') },
  'board.save': { file: file('.csv', '.svg') },
} as const satisfies PathArguments;
