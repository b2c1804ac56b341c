import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';

/** What the credential store answered, each a different thing to tell a person. */
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
 * Whether the data on this computer is open. The demo profile is a second, separate data folder
 * for made-up data only: it opens on computers without a credential store, and refuses real
 * connections.
 */
export const Access = z.object({
  open: z.boolean(),
  profile: z.enum(['own', 'demo']),
  store: VaultStore,
  vault: VaultState,
  /** Whether data was ever kept here: on a first start nothing is locked yet. */
  hasData: z.boolean(),
  /** True when a passphrase already protects this data folder, so it is asked for and not chosen. */
  passphraseSet: z.boolean(),
  problem: Failure.nullable(),
  /** Nobody can open the data as it is: a person may have it set aside, and begin anew. */
  canSetAside: z.boolean(),
});
export type Access = z.infer<typeof Access>;

export const MIN_PASSPHRASE = 12;

export const accessCalls = {
  'access.read': call(z.object({}), Access),
  /** Asks the credential store once more, for example after the person unlocked it. */
  'access.retry': call(z.object({}), Access),
  /** Keeps credentials under a passphrase that is asked for at each start. */
  'access.usePassphrase': call(
    z.object({ passphrase: z.string().min(MIN_PASSPHRASE).max(1024) }),
    Access,
  ),
  'access.openDemoProfile': call(z.object({}), Access),
  /**
   * Moves data that nobody can open into a folder within the data folder, with what its keys are sealed
   * with, and begins as on a first start. Throws 'conflict' where it could be opened yet.
   */
  'access.setAside': call(z.object({}), z.object({ folder: z.string() })),
} as const;

export const accessEvents = { 'access.changed': z.object({}) } as const;
