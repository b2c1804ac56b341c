import type { VaultTrouble } from './error.ts';

/**
 * The library's errors contain only a sentence: its prefix and the system's message. The first
 * matching row decides. Linux rows were observed with gnome-keyring and D-Bus; macOS rows are the
 * texts of errSecUserCanceled, errSecInteractionNotAllowed and errSecAuthFailed; Windows rows are
 * codes of the Credential Manager.
 */
const ANSWERS: readonly (readonly [RegExp, VaultTrouble])[] = [
  [/prompt (was )?dismissed|user cancell?ed/i, 'dismissed'],
  [/object (is )?locked|is locked|interaction is not allowed/i, 'locked'],
  [
    /rejected send message|access ?denied|permission denied|passphrase you entered is not correct/i,
    'denied',
  ],
  [/no result found|d-?bus|no secret service|NO_SUCH_LOGON_SESSION/i, 'no-session'],
];

/**
 * Vault state of an error of the keychain library. An unknown error counts as 'no-session': there
 * is no working credential store.
 */
export function keychainTrouble(error: unknown, canPrompt: boolean): VaultTrouble {
  const text = error instanceof Error ? error.message : String(error);
  const state = ANSWERS.find(([pattern]) => pattern.test(text))?.[1] ?? 'no-session';
  // Without a screen no prompt was shown: the prompter gave up, and the keychain is just locked.
  return state === 'dismissed' && !canPrompt ? 'locked' : state;
}
