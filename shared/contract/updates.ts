import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { JobStarted } from './jobs.ts';
import { Instant } from '../model/ids.ts';

const UpdateMethod = z.enum([
  /** This installation downloads and installs the new version itself. */
  'here',
  /**
   * This installation downloads and installs the new version itself, but only from the window,
   * never from a command.
   */
  'window',
  'package-manager',
  /** The program runs from a source checkout, which the user updates. */
  'checkout',
  /** The user unpacked this version, and unpacks the next one too. */
  'by-hand',
]);
export type UpdateMethod = z.infer<typeof UpdateMethod>;

/** Source of newer versions for an office. Without it, the program never checks for updates. */
export const UpdateFeed = z.object({
  /**
   * Address of a folder on the web with a signed `latest.yml`, `latest-mac.yml` or
   * `latest-linux.yml`.
   */
  url: z.string().max(2000),
  /** The Ed25519 public key that verifies the feed, as the Base64 of the key's PEM file. */
  key: z.string().max(2000),
  /**
   * Whether the program checks once a day while the window is open; otherwise only on the user's
   * request.
   */
  daily: z.boolean(),
});
export type UpdateFeed = z.infer<typeof UpdateFeed>;

/** A version signed with the feed's key. */
export const Release = z.object({
  version: z.string(),
  /**
   * Size in bytes of the download for this system; null if the feed does not include this system.
   */
  size: z.number().int().nullable(),
  notes: z.string().nullable(),
});
export type Release = z.infer<typeof Release>;

export const UpdateState = z.object({
  way: UpdateMethod,
  /** Version of the running program. */
  version: z.string(),
  feed: UpdateFeed.nullable(),
  /** Time of the last valid response of the feed; null before the first. */
  checkedAt: Instant.nullable(),
  /**
   * Offer of the last valid response. `older`: older than this program, or than an earlier offer.
   */
  offer: z.object({ kind: z.enum(['newer', 'same', 'older']), release: Release }).nullable(),
  /** Failure of this process's last check or download. */
  failure: Failure.nullable(),
  /** Version that is installed when the program is closed; null if none is prepared. */
  ready: z.string().nullable(),
  /**
   * Whether the prepared installation can be cancelled; false on macOS, which installs it
   * immediately.
   */
  canWithdraw: z.boolean(),
});
export type UpdateState = z.infer<typeof UpdateState>;

export const PreparedUpdate = z.object({ version: z.string() });

export const updateCalls = {
  'updates.show': call(z.object({}), UpdateState),
  /**
   * Sets the feed; null removes it. A version prepared from another feed is not installed. Throws
   * 'invalid' with the field: `url` or `key`.
   */
  'updates.setFeed': call(z.object({ feed: UpdateFeed.nullable() }), UpdateState),
  /** Checks the feed now. Throws the failure, which `UpdateState` also has. */
  'updates.check': call(z.object({}), UpdateState),
  /**
   * Checks the feed again, asks the user to confirm outside the page, downloads, verifies, and
   * schedules the installation for when the program is closed. Throws 'conflict' during another
   * installation.
   */
  'updates.install': call(z.object({ version: z.string().max(100) }), JobStarted),
  /** Cancels a prepared installation. Throws 'conflict' if it cannot be cancelled. */
  'updates.withdraw': call(z.object({}), UpdateState),
} as const;

export const updateEvents = { 'updates.changed': z.object({}) } as const;
