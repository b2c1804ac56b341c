import type { VaultTrouble } from './error.ts';

/**
 * Vault states by the messages of the keychain library. Its errors contain only a sentence: a
 * prefix and the system's message. The first row that matches the message determines the state.
 * Linux rows were observed with gnome-keyring and D-Bus. macOS rows are the texts of
 * errSecUserCanceled, errSecInteractionNotAllowed and errSecAuthFailed. Windows rows are codes of
 * the Credential Manager.
 */
const TROUBLE_BY_ANSWER: readonly (readonly [RegExp, VaultTrouble])[] = [
  [/prompt (was )?dismissed|user cancell?ed/i, 'dismissed'],
  [/object (is )?locked|is locked|interaction is not allowed/i, 'locked'],
  [
    /rejected send message|access ?denied|permission denied|passphrase you entered is not correct/i,
    'denied',
  ],
  [/no result found|d-?bus|no secret service|NO_SUCH_LOGON_SESSION/i, 'no-session'],
];

/**
 * Returns the vault state for an error of the keychain library. An unknown error counts as
 * 'no-session': this computer has no working credential store.
 */
export function keychainTrouble(error: unknown, canPrompt: boolean): VaultTrouble {
  const text = error instanceof Error ? error.message : String(error);
  const state = TROUBLE_BY_ANSWER.find(([pattern]) => pattern.test(text))?.[1] ?? 'no-session';
  // Without a screen no prompt was shown: "dismissed" then only means that the keychain is locked.
  return state === 'dismissed' && !canPrompt ? 'locked' : state;
}
