import type * as z from 'zod';
import { BACKUP_EXTENSION } from './contract/backup.ts';
import type { CallName, Calls } from './contract/index.ts';
import { DRAFT_EXTENSION } from './rules/drafts/extensions.ts';

/**
 * Everything that the page may request from its host and the core, with the reason. Both window
 * hosts and the core read this table and reject everything without an entry. The page's messages
 * are the calls of the contract and are parsed there; `pathArguments` limits the paths and
 * addresses in their arguments. The page shows text from other companies: if a script were
 * injected, it could reach only the entries of this table.
 */

interface PageRequestRule {
  /**
   * Origin of the request. `own` is the private origin of the host; the other schemes reach nothing
   * outside the page.
   */
  readonly from: 'own' | 'data:' | 'blob:';
  readonly methods: readonly string[];
  /** Allowed path prefixes, for `own` only. */
  readonly paths: readonly string[];
  readonly why: string;
}

/** An entry whose name has a meaning only for the host. */
interface NamedPermission {
  readonly name: string;
  readonly why: string;
}

/**
 * Permissions of the page, with the names of the Permissions API and of Electron's handlers, and
 * devices: `usb`, `hid`, `serial`, `bluetooth`, `midi`, a screen. Copying text needs no permission,
 * because the page's own copy command does it.
 */
export const permissions: readonly NamedPermission[] = [];

export const windows: readonly NamedPermission[] = [];

/**
 * URL schemes that are passed to the system, such as `mailto:`, or `https:` for the system's
 * browser.
 */
export const links: readonly NamedPermission[] = [];

export const navigation: readonly NamedPermission[] = [
  { name: 'index.html', why: 'the page itself; its screens lie behind the #' },
];

export const requests: readonly PageRequestRule[] = [
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
 * Path prefixes of the private origin that the browser may save as a file. The list is empty:
 * `files.save` writes the bytes of a call for the user, reports the path, and never overwrites a
 * file.
 */
export const downloads: readonly NamedPermission[] = [];

/** Kind of a path argument, and the limits on its value. */
export type PathBound =
  /**
   * A folder on this computer that exists or whose parent exists; the user chose it in the host's
   * dialog.
   */
  | { readonly kind: 'folder' }
  /** A new file in a folder as for `folder`, with one of these extensions. */
  | { readonly kind: 'file'; readonly endings: readonly string[] }
  /** A file name with one of these extensions; `files.save` replaces unsafe characters in it. */
  | { readonly kind: 'name'; readonly endings: readonly string[] }
  /** A path of a file or folder that the program itself wrote, see `core/host.ts`. */
  | { readonly kind: 'own-work' }
  /**
   * A text that becomes part of a file name or a request; never used as a path or opened on this
   * computer.
   */
  | { readonly kind: 'text'; readonly why: string }
  /**
   * An address of a service, checked by `electron/adapters/rest/http/address.ts`: https, no user
   * name before the host; redirects are never followed.
   */
  | { readonly kind: 'service' };

type Keys<Input> = Input extends unknown ? keyof Input & string : never;
type PathArguments = {
  readonly [Name in CallName]?: {
    readonly [Key in Keys<z.output<Calls[Name]['input']>>]?: PathBound;
  };
};

const FOLDER_ARGUMENT = { kind: 'folder' } as const;
const SERVICE_ARGUMENT = { kind: 'service' } as const;
const OWN_WORK_ARGUMENT = { kind: 'own-work' } as const;
const FOLDER_NAMES_TEXT = {
  kind: 'text',
  why: 'names of folders, each made safe by `folderNames`',
} as const;
const HOURS_TEXT = { kind: 'text', why: 'from and to are hours of a day' } as const;
const COPY_NAME_TEXT = { kind: 'text', why: 'shown, and kept as the name of a copy' } as const;
const COMPARED_TEXT = { kind: 'text', why: 'compared with recorded paths, never opened' } as const;
const AGREEMENT_BODY_TEXT = {
  kind: 'text',
  why: 'links in it go to the service and are shown as text',
} as const;
const fileArgument = (...endings: string[]): PathBound => ({ kind: 'file', endings });

/** Every call argument that names a path, an address or a file. */
export const pathArguments = {
  'host.openPath': { path: OWN_WORK_ARGUMENT },
  'host.dragFile': { path: OWN_WORK_ARGUMENT },
  'settings.write': { archiveFolder: FOLDER_ARGUMENT, evidenceFolder: FOLDER_ARGUMENT },
  'connections.add': { url: SERVICE_ARGUMENT },
  'connections.try': { url: SERVICE_ARGUMENT },
  'connections.detect': { url: SERVICE_ARGUMENT },
  'agreements.download': { file: fileArgument('.pdf') },
  'agreements.saveCopies': { folder: FOLDER_ARGUMENT },
  'actions.saveDocuments': { folder: FOLDER_ARGUMENT },
  'drafts.create': { content: AGREEMENT_BODY_TEXT },
  'drafts.save': { content: AGREEMENT_BODY_TEXT },
  'drafts.export': { file: fileArgument(DRAFT_EXTENSION) },
  'templates.add': { fileName: COPY_NAME_TEXT },
  'templates.learn': { from: COPY_NAME_TEXT },
  'templates.save': { content: AGREEMENT_BODY_TEXT },
  'templates.replacePdf': { fileName: COPY_NAME_TEXT },
  'templates.savePdf': { folder: FOLDER_ARGUMENT },
  'batches.create': { fileName: COPY_NAME_TEXT },
  'people.readImport': { fileName: COPY_NAME_TEXT },
  'people.everything': { folder: FOLDER_ARGUMENT },
  'reminders.saveRule': { hours: HOURS_TEXT },
  'reminders.preview': { rule: HOURS_TEXT },
  'intake.saveRule': { folder: FOLDER_ARGUMENT },
  'intake.preview': { folder: FOLDER_ARGUMENT },
  'intake.watch': { folder: FOLDER_ARGUMENT },
  'evidence.verify': { anchors: fileArgument('.json') },
  'evidence.export': { file: fileArgument('.json', '.csv') },
  'evidence.statement': { file: fileArgument('.pdf') },
  'evidence.anchor': { folder: FOLDER_ARGUMENT },
  'archive.run': { folder: FOLDER_ARGUMENT, subfolder: FOLDER_NAMES_TEXT },
  'archive.list': { folder: COMPARED_TEXT },
  'archive.preview': { folder: COPY_NAME_TEXT, subfolder: FOLDER_NAMES_TEXT },
  'archive.verify': { folder: FOLDER_ARGUMENT },
  'archive.bag': { folder: FOLDER_ARGUMENT, to: FOLDER_ARGUMENT },
  'archive.saveRule': { folder: FOLDER_ARGUMENT, subfolder: FOLDER_NAMES_TEXT },
  'backup.setUp': { folder: FOLDER_ARGUMENT },
  'backup.savePlan': { folder: FOLDER_ARGUMENT },
  'backup.move': { folder: FOLDER_ARGUMENT },
  'backup.page': { file: fileArgument('.pdf') },
  'backup.check': { file: fileArgument(BACKUP_EXTENSION) },
  'backup.look': { file: fileArgument(BACKUP_EXTENSION) },
  'backup.find': { folder: FOLDER_ARGUMENT },
  'backup.saveFile': { folder: FOLDER_ARGUMENT },
  'backup.saveEvidence': { to: fileArgument('.json') },
  'backup.restore': { file: fileArgument(BACKUP_EXTENSION), folder: FOLDER_ARGUMENT },
  'takeout.write': { folder: FOLDER_ARGUMENT },
  'takeout.look': { folder: FOLDER_ARGUMENT },
  'takeout.import': { folder: FOLDER_ARGUMENT },
  'backup.restoreLook': { folder: FOLDER_ARGUMENT },
  'backup.recover': { folder: FOLDER_ARGUMENT },
  'files.save': {
    folder: FOLDER_ARGUMENT,
    fileName: {
      kind: 'name',
      endings: ['.csv', '.eml', '.xlsx', '.signmap', '.signoffice', '.signtemplate'],
    },
  },
  'updates.setFeed': {
    feed: { kind: 'text', why: 'only https is asked, and a person confirms each installation' },
  },
  'reports.write': { file: fileArgument('.csv', '.xlsx') },
  'board.save': { file: fileArgument('.csv', '.svg') },
} as const satisfies PathArguments;
