import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { JobStarted } from './jobs.ts';
import { Instant } from '../model/ids.ts';

/** How a newer version gets onto this computer. */
const UpdateWay = z.enum([
  /** This installation fetches and installs it itself. */
  'here',
  /** The same, but a command never does it: the window does. */
  'window',
  /** A package of the system: its package manager. */
  'package-manager',
  /** Run from its sources: they are brought up to date. */
  'checkout',
  /** Unpacked by a person, who unpacks the next one too. */
  'by-hand',
]);
export type UpdateWay = z.infer<typeof UpdateWay>;

/** Where an office offers newer versions. Without one, nothing is ever asked. */
export const UpdateFeed = z.object({
  /** A folder on the web that holds `latest.yml`, `latest-mac.yml` or `latest-linux.yml`, signed. */
  url: z.string().max(2000),
  /** The Ed25519 public key that signs it: the Base64 of its PEM file. */
  key: z.string().max(2000),
  /** Asks once a day while the window is open; else only when a person asks. */
  daily: z.boolean(),
});
export type UpdateFeed = z.infer<typeof UpdateFeed>;

/** A version that the feed's key vouches for. */
export const Release = z.object({
  version: z.string(),
  /** Bytes of the download for this system; null where the feed does not say. */
  size: z.number().int().nullable(),
  /** Where it is written what changed. */
  notes: z.string().nullable(),
});
export type Release = z.infer<typeof Release>;

export const UpdateState = z.object({
  way: UpdateWay,
  /** Of the program that runs. */
  version: z.string(),
  feed: UpdateFeed.nullable(),
  /** When the feed last answered as it should. */
  checkedAt: Instant.nullable(),
  /** What it offered then. `older`: than this program, or than what it offered before. */
  offer: z.object({ kind: z.enum(['newer', 'same', 'older']), release: Release }).nullable(),
  /** Why the last question, or the last download, of this process failed. */
  failure: Failure.nullable(),
  /** The version that is installed when the program is closed. */
  ready: z.string().nullable(),
  /** Whether that can be taken back; macOS takes it over at once. */
  canWithdraw: z.boolean(),
});
export type UpdateState = z.infer<typeof UpdateState>;

export const UpdatePrepared = z.object({ version: z.string() });

export const updateCalls = {
  'updates.show': call(z.object({}), UpdateState),
  /**
   * Null takes it away. What was prepared from another feed is not installed. Throws 'invalid' with
   * the field: `url` or `key`.
   */
  'updates.setFeed': call(z.object({ feed: UpdateFeed.nullable() }), UpdateState),
  /** Asks the feed now. Throws what went wrong, which also stands in the state. */
  'updates.check': call(z.object({}), UpdateState),
  /**
   * Asks the feed again, lets a person confirm outside of the page, downloads, verifies, and has it
   * installed when the program is closed. Throws 'conflict' while another one is under way.
   */
  'updates.install': call(z.object({ version: z.string().max(100) }), JobStarted),
  /** What was prepared is not installed after all. Throws 'conflict' where it cannot be taken back. */
  'updates.withdraw': call(z.object({}), UpdateState),
} as const;

export const updateEvents = { 'updates.changed': z.object({}) } as const;
