import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';

/** State of the credential store. Each state has its own message for the user. */
export const VaultState = z.enum([
  'ready',
  'locked',
  'dismissed',
  'denied',
  'no-session',
  'entry-missing',
  'wrong-key',
  'changed',
]);
export type VaultState = z.infer<typeof VaultState>;

export const VaultStore = z.enum(['keychain', 'keyfile', 'passphrase']);
export type VaultStore = z.infer<typeof VaultStore>;

/**
 * Whether the data on this computer is open. The demo profile is a separate data folder for made-up
 * data: it opens on computers without a credential store and refuses real connections.
 */
export const Access = z.object({
  open: z.boolean(),
  profile: z.enum(['own', 'demo']),
  store: VaultStore,
  vault: VaultState,
  /** Whether data was ever stored on this computer; on a first start nothing is locked yet. */
  hasData: z.boolean(),
  /**
   * Whether a passphrase protects this data folder: if so, the user enters it instead of choosing
   * one.
   */
  passphraseSet: z.boolean(),
  problem: Failure.nullable(),
  /**
   * Whether the data cannot be opened, so that the user may set it aside and start with empty data.
   */
  canSetAside: z.boolean(),
});
export type Access = z.infer<typeof Access>;

export const MIN_PASSPHRASE_LENGTH = 12;

export const accessCalls = {
  'access.read': call(z.object({}), Access),
  /** Tries the credential store again, for example after the user unlocked it. */
  'access.retry': call(z.object({}), Access),
  /** Encrypts credentials with a passphrase that the user enters at each start. */
  'access.usePassphrase': call(
    z.object({ passphrase: z.string().min(MIN_PASSPHRASE_LENGTH).max(1024) }),
    Access,
  ),
  'access.openDemoProfile': call(z.object({}), Access),
  /**
   * Moves data that cannot be opened into a folder within the data folder, with its copies from
   * before upgrades and the files of its key store. The program then starts without data. Throws
   * 'conflict' if the data can still be opened.
   */
  'access.setAside': call(z.object({}), z.object({ folder: z.string() })),
} as const;

export const accessEvents = { 'access.changed': z.object({}) } as const;
