import * as z from 'zod';
import { call } from './call.ts';
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

const DoctorFinding = z.enum([
  // Nothing is wrong, and its value says all.
  'stated',
  'folder-tightened',
  'folder-shared',
  'store',
  'database-intact',
  'database-damaged',
  'database-closed',
  'no-sandbox',
]);

export const DoctorCheck = z.object({
  name: z.enum([
    'version',
    'data folder',
    'credential store',
    'database',
    'browser sandbox',
    'clock',
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
  /** Versions, paths, credential store, database, clock; nothing secret. */
  'host.doctor': call(z.object({}), z.object({ checks: z.array(DoctorCheck) })),
} as const;
