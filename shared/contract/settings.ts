import * as z from 'zod';
import { ListLayout, MAX_SAVED_VIEWS, SavedView, defaultListLayout } from './agreement-views.ts';
import { IndexColumns, defaultIndexColumns } from './archive.ts';
import { call } from './call.ts';
import { ConnectionId, IdentityId } from '../model/ids.ts';
import { languages } from '../model/languages.ts';

export const DEFAULT_NAME_PATTERN = '{closed:yyyy-MM-dd}_{title}_{id8}';

/** Events for which the desktop shows a notification. */
export const notices = ['decision', 'batch', 'archive', 'ended', 'digest'] as const;
export type Notice = (typeof notices)[number];

const ClockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** Time of the daily summary, in local time of this computer. */
export const DigestTime = z.object({
  isOn: z.boolean(),
  at: ClockTime,
  workdaysOnly: z.boolean(),
});
export type DigestTime = z.infer<typeof DigestTime>;

/**
 * Times of the day between which no desktop notifications are shown; they span midnight if `until`
 * is earlier.
 */
export const QuietHours = z.object({ from: ClockTime, until: ClockTime });
export type QuietHours = z.infer<typeof QuietHours>;

const RetentionDayCount = z.number().int().min(1).max(36_500).nullable();

/**
 * Retention periods (days): drafts and templates in the trash, sent drafts that are kept for a
 * copy, spreadsheets of settled batches with the cells of their rows, log lines.
 */
const RetentionDays = z.object({
  trash: RetentionDayCount,
  sent: RetentionDayCount,
  sheets: RetentionDayCount,
  logs: RetentionDayCount,
});

export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['compact', 'cosy', 'relaxed']),
  /** Language of the program; null follows the system. */
  language: z.enum(languages).nullable(),
  /** Number of seconds during which a send can be undone before it leaves this computer. */
  holdSeconds: z.union([z.literal(0), z.literal(5), z.literal(10), z.literal(30)]),
  /**
   * v2: whether names of sent agreements end in a code, by which they are found again after a lost
   * response.
   */
  markNames: z.boolean(),
  archiveFolder: z.string().nullable(),
  archivePattern: z.string().min(1).max(200),
  /** Columns of every archive's index; a folder uses a change from its next run. */
  archiveIndex: IndexColumns,
  /**
   * Retention period of closed agreements in the local copy, in months; null keeps them
   * permanently.
   */
  keepClosedMonths: z.number().int().min(1).max(1200).nullable(),
  /** Retention periods of other data, in days; null keeps the data permanently. */
  keepDays: RetentionDays,
  signingIdentity: IdentityId.nullable(),
  /** Whether a second person must approve a review before the signature. */
  fourEyes: z.boolean(),
  /** With `fourEyes`: whether the second person must approve on another computer of the office. */
  fourEyesElsewhere: z.boolean(),
  /** Folder for anchors: one is written after each new end of the evidence. Null: no anchors. */
  evidenceFolder: z.string().nullable(),
  /** Connection with which the window works; null shows all. */
  connection: ConnectionId.nullable(),
  /** Connection of the last draft that the user began or sent in the window; null if none. */
  lastConnection: ConnectionId.nullable(),
  notify: z.array(z.enum(notices)),
  digest: DigestTime,
  quietHours: QuietHours.nullable(),
  /** Whether the program's icon and the window title show the number of waiting items. */
  showsWaiting: z.boolean(),
  /** Whether the program keeps running when the window is closed, so that rules still run. */
  staysInTray: z.boolean(),
  /**
   * Time since which retention and the daily summary are stopped, because this data was restored,
   * copied or moved (epoch ms); null once the user resumed them on this computer.
   */
  restoredAt: z.number().nullable(),
  /**
   * Time of the last restore, copy or move (epoch ms), kept also after the user resumed: this
   * computer may not know earlier actions.
   */
  lastRestoredAt: z.number().nullable(),
  /**
   * Servers in restored data that the user has not confirmed: nothing is sent to them. IDs of
   * `Reach` objects; changed only by `backup.confirm`.
   */
  unconfirmed: z.array(z.string()),
  /** Layout of the agreement list, and its saved views. */
  agreementLayout: ListLayout,
  agreementViews: z.array(SavedView).max(MAX_SAVED_VIEWS),
});
export type Settings = z.infer<typeof Settings>;

export const defaultSettings: Settings = {
  theme: 'system',
  density: 'cosy',
  language: null,
  holdSeconds: 10,
  markNames: true,
  archiveFolder: null,
  archivePattern: DEFAULT_NAME_PATTERN,
  archiveIndex: [...defaultIndexColumns],
  keepClosedMonths: null,
  // A lease or a licence is often renewed after a year.
  keepDays: { trash: 30, sent: 400, sheets: null, logs: null },
  signingIdentity: null,
  fourEyes: false,
  fourEyesElsewhere: false,
  evidenceFolder: null,
  connection: null,
  lastConnection: null,
  notify: [...notices],
  digest: { isOn: true, at: '08:00', workdaysOnly: true },
  quietHours: null,
  showsWaiting: true,
  staysInTray: false,
  restoredAt: null,
  lastRestoredAt: null,
  unconfirmed: [],
  agreementLayout: defaultListLayout,
  agreementViews: [],
};

export const settingCalls = {
  'settings.read': call(z.object({}), Settings),
  'settings.write': call(Settings.omit({ unconfirmed: true }).partial(), Settings),
} as const;

export const settingEvents = { 'settings.changed': z.object({}) } as const;
