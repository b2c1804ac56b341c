import * as z from 'zod';
import { ListLayout, MAX_VIEWS, SavedView, usualLayout } from './agreement-views.ts';
import { IndexColumns, usualIndexColumns } from './archive.ts';
import { call } from './call.ts';
import { ConnectionId, IdentityId } from '../model/ids.ts';
import { languages } from '../model/languages.ts';

/** How an archived PDF is named until a person writes a pattern. */
export const DEFAULT_NAME_PATTERN = '{closed:yyyy-MM-dd}_{title}_{id8}';

/** What calls a person who looks elsewhere. */
export const notices = ['decision', 'batch', 'archive', 'ended', 'digest'] as const;
export type Notice = (typeof notices)[number];

const ClockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** When the digest of what happened is given, by the clock of this computer. */
export const DigestTime = z.object({
  isOn: z.boolean(),
  at: ClockTime,
  workdaysOnly: z.boolean(),
});
export type DigestTime = z.infer<typeof DigestTime>;

/** Between these times nothing is shown on the desktop; over midnight where `until` is earlier. */
export const QuietHours = z.object({ from: ClockTime, until: ClockTime });
export type QuietHours = z.infer<typeof QuietHours>;

const Days = z.number().int().min(1).max(36_500).nullable();

/**
 * Drafts and templates in the trash, sent drafts that are kept for a copy, sheets of settled batches
 * with the cells of their rows, lines of the log.
 */
const KeepDays = z.object({ trash: Days, sent: Days, sheets: Days, logs: Days });

export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['compact', 'cosy', 'relaxed']),
  /** Null follows the system. */
  language: z.enum(languages).nullable(),
  /** How long a send can be undone before it leaves. */
  holdSeconds: z.union([z.literal(0), z.literal(5), z.literal(10), z.literal(30)]),
  /** v2: names of what is sent end in a code, by which a lost answer is found again. */
  markNames: z.boolean(),
  archiveFolder: z.string().nullable(),
  archivePattern: z.string().min(1).max(200),
  /** The columns of every archive's index; a folder has them from its next run on. */
  archiveIndex: IndexColumns,
  /** How many months closed agreements stay in the local copy; null keeps them. */
  keepClosedMonths: z.number().int().min(1).max(1200).nullable(),
  /** How many days other things stay; null keeps them. */
  keepDays: KeepDays,
  signingIdentity: IdentityId.nullable(),
  /** A second person has to approve a review before the signature is given. */
  fourEyes: z.boolean(),
  /** With `fourEyes`: only at another desk of the office. */
  fourEyesElsewhere: z.boolean(),
  /** Where the end of the evidence is noted whenever it moved; null nowhere. */
  evidenceFolder: z.string().nullable(),
  /** The connection the window works with; null shows all. */
  connection: ConnectionId.nullable(),
  /** Those of them that are notified on the desktop. */
  notify: z.array(z.enum(notices)),
  digest: DigestTime,
  quietHours: QuietHours.nullable(),
  /** How much waits for a person stands on the program's icon and in the title of its window. */
  showsWaiting: z.boolean(),
  /** A closed window leaves the program running, so that rules go on. */
  staysInTray: z.boolean(),
  /**
   * Since when nothing is removed by age and no digest is given, as this data was restored, copied or moved
   * (epoch ms); null once a person said that it goes on here.
   */
  restoredAt: z.number().nullable(),
  /** When that was last (epoch ms), also once it goes on here: what was done before may not be known here. */
  lastRestoredAt: z.number().nullable(),
  /**
   * Servers that restored data names and no person has confirmed: nothing goes there. Ids of `Reach`; written by
   * `backup.confirm` alone.
   */
  unconfirmed: z.array(z.string()),
  /** How the list of agreements is drawn, and the views of it that have a name. */
  agreementLayout: ListLayout,
  agreementViews: z.array(SavedView).max(MAX_VIEWS),
});
export type Settings = z.infer<typeof Settings>;

/** What holds until a person chooses otherwise. */
export const usualSettings: Settings = {
  theme: 'system',
  density: 'cosy',
  language: null,
  holdSeconds: 10,
  markNames: true,
  archiveFolder: null,
  archivePattern: DEFAULT_NAME_PATTERN,
  archiveIndex: [...usualIndexColumns],
  keepClosedMonths: null,
  // A lease or a licence is often renewed after a year.
  keepDays: { trash: 30, sent: 400, sheets: null, logs: null },
  signingIdentity: null,
  fourEyes: false,
  fourEyesElsewhere: false,
  evidenceFolder: null,
  connection: null,
  notify: [...notices],
  digest: { isOn: true, at: '08:00', workdaysOnly: true },
  quietHours: null,
  showsWaiting: true,
  staysInTray: false,
  restoredAt: null,
  lastRestoredAt: null,
  unconfirmed: [],
  agreementLayout: usualLayout,
  agreementViews: [],
};

export const settingCalls = {
  'settings.read': call(z.object({}), Settings),
  'settings.write': call(Settings.omit({ unconfirmed: true }).partial(), Settings),
} as const;

export const settingEvents = { 'settings.changed': z.object({}) } as const;
