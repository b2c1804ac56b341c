import * as z from 'zod';
import { call } from './call.ts';
import type { Connection } from './connections.ts';
import { EmptyObject } from '../model/ids.ts';
import { languages } from '../model/languages.ts';

/** Desktop features of a host; screens check these, never the kind of host. */
export const HostFeatureFlags = z.object({
  chooseFolder: z.boolean(),
  openPath: z.boolean(),
  /** Whether a file can be dragged out of the window. */
  dragFile: z.boolean(),
  notify: z.boolean(),
  progress: z.boolean(),
  badge: z.boolean(),
  /** Whether there is a native menu, above the page or at the top of the screen. */
  menu: z.boolean(),
  /** Whether the window can be closed while the program keeps running with a tray icon. */
  tray: z.boolean(),
  /** Whether the program can start when the user signs in to the computer. */
  loginStart: z.boolean(),
});
export type HostFeatureFlags = z.infer<typeof HostFeatureFlags>;

export const HostDescription = z.object({
  version: z.string(),
  /** Language requested for this start; null for the language in the settings. */
  language: z.enum(languages).nullable(),
  /** Locale of the user's system, as a BCP 47 tag. */
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
const MAX_MENU_ITEMS = 100;

/**
 * Keyboard shortcut in Electron's notation, such as `CommandOrControl+Shift+Z`. The menu only shows
 * it, because the page handles its keys itself.
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
          .max(MAX_MENU_ITEMS),
      }),
    )
    .max(MAX_MENU_ITEMS),
});
export type HostMenu = z.infer<typeof HostMenu>;

/** Running work, in the language of the window, shown while the window is closed. */
export const HostStatus = z.object({
  /** Whether the program keeps running when the window is closed. */
  staysInTray: z.boolean(),
  underWay: z.array(MenuText).max(MAX_MENU_ITEMS),
  /** Warning before the program ends; null if nothing waits to be sent. */
  beforeQuitting: MenuText.nullable(),
});
export type HostStatus = z.infer<typeof HostStatus>;

/** Reason why the window cannot create the scheduled task of the system. */
export const ScheduleObstacle = z.enum([
  /** No known scheduler was found, or the system does not allow this user to use it. */
  'no-scheduler',
  /** The scheduler (cron) cannot reach the credential store that opens the data. */
  'no-keychain',
  /** Only a person can enter the passphrase that opens the data. */
  'passphrase',
  /** The demo is open; its made-up data needs no scheduled task. */
  'demo',
  /** The package (Flatpak, Snap) separates the program from the scheduler. */
  'isolated',
  /** The task of this computer already runs the rules of another data folder. */
  'other-data',
]);
export type ScheduleObstacle = z.infer<typeof ScheduleObstacle>;

/** The scheduled task of the system, which does due work while the window is closed. */
export const HostSchedule = z.object({
  isOn: z.boolean(),
  /** Reason against creating the task; null if it can be created, or exists. */
  obstacle: ScheduleObstacle.nullable(),
  /** Command that prints the task, for a person who sets it up in a terminal. */
  command: z.string(),
});
export type HostSchedule = z.infer<typeof HostSchedule>;

const DoctorFinding = z.enum([
  // The check only reports a fact: nothing is wrong, and the value is the whole result.
  'stated',
  'folder-tightened',
  'folder-shared',
  /** The data folder is not writable. */
  'folder-unusable',
  'store',
  'database-intact',
  'database-damaged',
  'database-closed',
  'no-copies',
  'no-sandbox',
  'no-office',
  /**
   * The process that converts Word documents is isolated: by the system from files and the network
   * (`office-apart`), by the system only from the network (`office-offline`), or only from the
   * network by its own settings (`office-settings`).
   */
  'office-apart',
  'office-offline',
  'office-settings',
  /**
   * Services are reached without a proxy. With proxies, the finding is `stated`; if a proxy cannot
   * be determined, it is `no-way`.
   */
  'direct',
  'no-way',
  'authorities',
  /** Number of seconds between this computer's clock and a service's clock. */
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
  /** Result in English, for the command line. */
  note: z.string(),
  /** Result as a code, for translation together with the value. */
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
    /** Server to which the program connects. */
    | 'server'
    /** Further recipients of a connection; null: everyone. */
    | 'recipients'
    /** Proxy for services: the one in `what`, the system's, or none. */
    | 'proxy'
    | 'proxy-system'
    | 'proxy-none'
    /** Authorities whose server certificates are trusted. */
    | 'authorities'
    /** Scheduled task of the system that does due work while the window is closed. */
    | 'schedule';
  readonly what: string | null;
  readonly fingerprint: string | null;
  /** Connection to which the confirmation applies; null if none exists yet. */
  readonly connection: Pick<Connection, 'name' | 'environment'> | null;
}

export const hostCalls = {
  'host.describe': call(z.object({}), HostDescription),
  'host.chooseFolder': call(z.object({}), z.object({ path: z.string().nullable() })),
  /**
   * Opens the archive folder or a PDF that the program itself wrote into it. Throws 'forbidden' for
   * any other path, and if the path is now something else: a program, a symbolic link, a device.
   */
  'host.openPath': call(z.object({ path: z.string() }), EmptyObject),
  /**
   * Starts dragging a PDF that the program itself archived out of the window; called while the
   * pointer is held down.
   */
  'host.dragFile': call(z.object({ path: z.string() }), EmptyObject),
  'host.notify': call(z.object({ title: z.string(), body: z.string() }), EmptyObject),
  'host.progress': call(z.object({ fraction: z.number().min(0).max(1).nullable() }), EmptyObject),
  /**
   * Shows on the program's icon the number of items that wait for the user; 0 removes the badge.
   */
  'host.badge': call(z.object({ count: z.number().int().min(0) }), EmptyObject),
  'host.menu': call(HostMenu, EmptyObject),
  'host.status': call(HostStatus, EmptyObject),
  /** Whether the program starts when the user signs in, according to the system now. */
  'host.startsAtLogin': call(z.object({}), z.object({ isOn: z.boolean() })),
  'host.startAtLogin': call(z.object({ isOn: z.boolean() }), EmptyObject),
  /** Returns the scheduled task of this data folder, according to the system now. */
  'host.schedule': call(z.object({}), HostSchedule),
  /**
   * Creates or removes the scheduled task. Throws 'invalid' if there is an obstacle, and
   * 'storage' with 'schedule-refused' if the system rejects the change.
   */
  'host.setSchedule': call(z.object({ isOn: z.boolean() }), HostSchedule),
  /**
   * Checks versions, paths, credential store, database, network and clocks; returns no secret.
   * Requests the time from the services.
   */
  'host.doctor': call(z.object({}), z.object({ checks: z.array(DoctorCheck) })),
} as const;

export const hostEvents = {
  'host.command': z.object({ id: z.string() }),
  /** Emitted when a helper process (rendering, media or network) ended unexpectedly. */
  'host.processEnded': z.object({}),
} as const;
