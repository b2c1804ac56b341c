import * as z from 'zod';
import { call } from './call.ts';
import type { Connection } from './connections.ts';
import { Nothing } from '../model/ids.ts';
import { languages } from '../model/languages.ts';

/** The desktop features a host can do; screens ask for these, never which host it is. */
export const HostFeatureFlags = z.object({
  chooseFolder: z.boolean(),
  openPath: z.boolean(),
  /** A file can be dragged out of the window. */
  dragFile: z.boolean(),
  notify: z.boolean(),
  progress: z.boolean(),
  /** A number on the program's icon. */
  badge: z.boolean(),
  /** It has a menu of its own, above the page or above the screen. */
  menu: z.boolean(),
  /** The window can be closed while the program goes on behind an icon beside the clock. */
  tray: z.boolean(),
  /** The program can be started when the person signs in to the computer. */
  loginStart: z.boolean(),
});
export type HostFeatureFlags = z.infer<typeof HostFeatureFlags>;

export const HostDescription = z.object({
  version: z.string(),
  /** Asked for at this start, in place of what the settings say. */
  language: z.enum(languages).nullable(),
  /** BCP 47, of the person's system. */
  locale: z.string(),
  platform: z.enum(['linux', 'mac', 'windows']),
  features: HostFeatureFlags,
  dataFolder: z.string(),
  /** A folder for PDFs that the person is sure to find. */
  documentsFolder: z.string(),
});
export type HostDescription = z.infer<typeof HostDescription>;

/** The longest text and the most items that a host puts into a menu. */
const MenuText = z.string().min(1).max(200);
const MAX_ITEMS = 100;

/** A key as Electron writes it, `CommandOrControl+Shift+Z`; shown, since the page hears its keys itself. */
const Accelerator = z
  .string()
  .regex(/^(?:CommandOrControl\+|Alt\+|Shift\+){0,3}(?:[A-Z0-9/]|F1?\d|Up|Down|Left|Right)$/);

/** The commands that there are now, in the words of the window. */
export const HostMenu = z.object({
  /** What the host says beside them. */
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

/** What goes on, in the words of the window, for when it is closed. */
export const HostStatus = z.object({
  /** A closed window leaves the program running. */
  staysInTray: z.boolean(),
  underWay: z.array(MenuText).max(MAX_ITEMS),
  /** What a person should know before the program ends; null when nothing waits. */
  beforeQuitting: MenuText.nullable(),
});
export type HostStatus = z.infer<typeof HostStatus>;

const DoctorFinding = z.enum([
  // Nothing is wrong, and its value says all.
  'stated',
  'folder-tightened',
  'folder-shared',
  /** Nothing can be written to it. */
  'folder-unusable',
  'store',
  'database-intact',
  'database-damaged',
  'database-closed',
  'no-copies',
  'no-sandbox',
  'no-office',
  /** The system keeps it from files and the network, or from the network; or only its settings do. */
  'office-apart',
  'office-offline',
  'office-settings',
  /** Services by the way to them, with their names: all directly, or as its value says, or none. */
  'direct',
  'no-way',
  /** How many authorities are trusted. */
  'authorities',
  /** Seconds between the clock here and a service's. */
  'clock-near',
  'clock-far',
  'clock-unheard',
  'no-browser',
  /** A browser that may write only in its own folder of the home. */
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
  /** For whoever says it in another language, together with its value. */
  finding: DoctorFinding,
  /** A path, a version, a time, what is damaged, or the state of the credential store. */
  value: z.string(),
});
export type DoctorCheck = z.infer<typeof DoctorCheck>;

/** What the page cannot decide: a person is asked outside of it. */
export interface OutsideQuestion {
  readonly kind:
    /** Newer versions of the program come from there. */
    | 'updates'
    /** Whoever has this key opens every backup. */
    | 'administrator'
    /** Restored data makes its backups into that folder, for these keys. */
    | 'backups'
    /** Restored data writes copies of the evidence's end into it. */
    | 'folder'
    /** The program connects to it. */
    | 'server'
    /** A connection sends to these, too; null: to everybody. */
    | 'recipients'
    /** Services are reached through it, or as the system says, or past all proxies. */
    | 'proxy'
    | 'proxy-system'
    | 'proxy-none'
    /** A server is believed whose certificate one of these issued. */
    | 'authorities';
  readonly what: string | null;
  readonly fingerprint: string | null;
  /** Which connection it is about; null where it is about none that is there. */
  readonly connection: Pick<Connection, 'name' | 'environment'> | null;
}

export const hostCalls = {
  'host.describe': call(z.object({}), HostDescription),
  'host.chooseFolder': call(z.object({}), z.object({ path: z.string().nullable() })),
  /**
   * Opens the archive folder or a PDF that the desk itself wrote there. Throws 'forbidden' for any
   * other path, and when something else lies there: a program, a link to a file, a device.
   */
  'host.openPath': call(z.object({ path: z.string() }), Nothing),
  /** Begins a drag of such a file out of the window; called while the pointer is held down. */
  'host.dragFile': call(z.object({ path: z.string() }), Nothing),
  'host.notify': call(z.object({ title: z.string(), body: z.string() }), Nothing),
  'host.progress': call(z.object({ fraction: z.number().min(0).max(1).nullable() }), Nothing),
  /** How much waits for a person; 0 takes the number away. */
  'host.badge': call(z.object({ count: z.number().int().min(0) }), Nothing),
  'host.menu': call(HostMenu, Nothing),
  'host.status': call(HostStatus, Nothing),
  /** Whether the program starts when the person signs in, by what the system says now. */
  'host.startsAtLogin': call(z.object({}), z.object({ isOn: z.boolean() })),
  'host.startAtLogin': call(z.object({ isOn: z.boolean() }), Nothing),
  /** Versions, paths, credential store, database, network, clocks; nothing secret. Asks services for their time. */
  'host.doctor': call(z.object({}), z.object({ checks: z.array(DoctorCheck) })),
} as const;

export const hostEvents = {
  /** A command was chosen in the menu. */
  'host.command': z.object({ id: z.string() }),
  /** A process that draws, plays or fetches for the page ended unexpectedly. */
  'host.processEnded': z.object({}),
} as const;
