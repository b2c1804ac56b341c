import * as z from 'zod';
import { call } from './call.ts';
import type { Connection } from './connections.ts';
import { EmptyObject } from '../model/ids.ts';
import { languages } from '../model/languages.ts';

/** Desktop features of a host; screens check these, never the kind of host. */
export const HostFeatureFlags = z.object({
  chooseFolder: z.boolean(),
  openPath: z.boolean(),
  /** A file can be dragged out of the window. */
  dragFile: z.boolean(),
  notify: z.boolean(),
  progress: z.boolean(),
  badge: z.boolean(),
  /** Native menu, above the page or at the top of the screen. */
  menu: z.boolean(),
  /** The window can be closed while the program keeps running with a tray icon. */
  tray: z.boolean(),
  /** The program can start when the user signs in to the computer. */
  loginStart: z.boolean(),
});
export type HostFeatureFlags = z.infer<typeof HostFeatureFlags>;

export const HostDescription = z.object({
  version: z.string(),
  /** Requested for this start, instead of the language in the settings. */
  language: z.enum(languages).nullable(),
  /** BCP 47, from the user's system. */
  locale: z.string(),
  platform: z.enum(['linux', 'mac', 'windows']),
  features: HostFeatureFlags,
  dataFolder: z.string(),
  /** A folder for PDFs that the user can easily find. */
  documentsFolder: z.string(),
});
export type HostDescription = z.infer<typeof HostDescription>;

/** Maximum length of a text and number of items in a menu. */
const MenuText = z.string().min(1).max(200);
const MAX_ITEMS = 100;

/**
 * A shortcut in Electron's notation, `CommandOrControl+Shift+Z`; only shown, because the page
 * handles its keys itself.
 */
const Accelerator = z
  .string()
  .regex(/^(?:CommandOrControl\+|Alt\+|Shift\+){0,3}(?:[A-Z0-9/]|F1?\d|Up|Down|Left|Right)$/);

/** Commands that are available now, in the language of the window. */
export const HostMenu = z.object({
  /** Language of the host's own menu items. */
  language: z.enum(languages),
  groups: z
    .array(
      z.object({
        title: MenuText,
        commands: z
          .array(z.object({ id: MenuText, label: MenuText, accelerator: Accelerator.nullable() }))
          .max(MAX_ITEMS),
      }),
    )
    .max(MAX_ITEMS),
});
export type HostMenu = z.infer<typeof HostMenu>;

/** Running work, in the language of the window, shown while the window is closed. */
export const HostStatus = z.object({
  /** Closing the window leaves the program running. */
  staysInTray: z.boolean(),
  underWay: z.array(MenuText).max(MAX_ITEMS),
  /** Warning before the program ends; null when nothing waits. */
  beforeQuitting: MenuText.nullable(),
});
export type HostStatus = z.infer<typeof HostStatus>;

const DoctorFinding = z.enum([
  // Nothing is wrong; the value is the whole result.
  'stated',
  'folder-tightened',
  'folder-shared',
  /** It is not writable. */
  'folder-unusable',
  'store',
  'database-intact',
  'database-damaged',
  'database-closed',
  'no-copies',
  'no-sandbox',
  'no-office',
  /**
   * The system isolates it from files and the network, or only from the network; or only its
   * settings do.
   */
  'office-apart',
  'office-offline',
  'office-settings',
  /** Proxies of services, with their names: all direct, as listed in the value, or none. */
  'direct',
  'no-way',
  'authorities',
  /** Seconds between this clock and a service's clock. */
  'clock-near',
  'clock-far',
  'clock-unheard',
  'no-browser',
  /** A browser that may write only in its own folder of the home directory. */
  'browser-snap',
  'no-screen',
  'no-namespaces',
  'no-scheduler',
]);

export const DoctorCheck = z.object({
  name: z.enum([
    'version',
    'data folder',
    'credential store',
    'database',
    'copies before upgrades',
    'browser',
    'screen',
    'browser sandbox',
    'schedulers',
    'LibreOffice',
    'proxy',
    'certificates',
    'clock',
    'service clock',
  ]),
  ok: z.boolean(),
  /** In English, for the command line. */
  note: z.string(),
  /** For translating the result, together with its value. */
  finding: DoctorFinding,
  /** A path, a version, a time, the damaged part, or the state of the credential store. */
  value: z.string(),
});
export type DoctorCheck = z.infer<typeof DoctorCheck>;

/** A decision that the page must not make: the host asks the user in a dialog of its own. */
export interface HostConfirmation {
  readonly kind:
    /** Source of newer versions of the program. */
    | 'updates'
    /** The owner of this key can open every backup. */
    | 'administrator'
    /** Folder and keys for the backups of restored data. */
    | 'backups'
    /** Folder for anchors of restored data's evidence. */
    | 'folder'
    /** Server that the program connects to. */
    | 'server'
    /** Further recipients of a connection; null: everyone. */
    | 'recipients'
    /** Proxy for services: this one, the system's, or none. */
    | 'proxy'
    | 'proxy-system'
    | 'proxy-none'
    /** Authorities whose server certificates are trusted. */
    | 'authorities';
  readonly what: string | null;
  readonly fingerprint: string | null;
  /** Connection concerned; null if none exists yet. */
  readonly connection: Pick<Connection, 'name' | 'environment'> | null;
}

export const hostCalls = {
  'host.describe': call(z.object({}), HostDescription),
  'host.chooseFolder': call(z.object({}), z.object({ path: z.string().nullable() })),
  /**
   * Opens the archive folder or a PDF that the program itself wrote there. Throws 'forbidden' for
   * any other path, or if it is now something else: a program, a symbolic link, a device.
   */
  'host.openPath': call(z.object({ path: z.string() }), EmptyObject),
  /** Starts dragging such a file out of the window; called while the pointer is held down. */
  'host.dragFile': call(z.object({ path: z.string() }), EmptyObject),
  'host.notify': call(z.object({ title: z.string(), body: z.string() }), EmptyObject),
  'host.progress': call(z.object({ fraction: z.number().min(0).max(1).nullable() }), EmptyObject),
  /** Number of items that wait for the user; 0 removes the badge. */
  'host.badge': call(z.object({ count: z.number().int().min(0) }), EmptyObject),
  'host.menu': call(HostMenu, EmptyObject),
  'host.status': call(HostStatus, EmptyObject),
  /** Whether the program starts when the user signs in, according to the system now. */
  'host.startsAtLogin': call(z.object({}), z.object({ isOn: z.boolean() })),
  'host.startAtLogin': call(z.object({ isOn: z.boolean() }), EmptyObject),
  /**
   * Versions, paths, credential store, database, network, clocks; nothing secret. Requests the time
   * of services.
   */
  'host.doctor': call(z.object({}), z.object({ checks: z.array(DoctorCheck) })),
} as const;

export const hostEvents = {
  'host.command': z.object({ id: z.string() }),
  /** A helper process (rendering, media or network) ended unexpectedly. */
  'host.processEnded': z.object({}),
} as const;
