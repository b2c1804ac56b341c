import type { VaultTrouble } from './error.ts';

/**
 * The library's errors carry nothing but a sentence: its own prefix and the system's words. The
 * first row that matches decides. Linux rows were seen with gnome-keyring and D-Bus; macOS rows
 * are the texts of errSecUserCanceled, errSecInteractionNotAllowed and errSecAuthFailed; Windows
 * rows name the codes of the Credential Manager.
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
 * Which of the vault's states an error of the keychain library stands for. An error nobody has
 * seen yet counts as 'no-session': there is no working credential store here.
 */
export function keychainTrouble(error: unknown, canPrompt: boolean): VaultTrouble {
  const text = error instanceof Error ? error.message : String(error);
  const state = ANSWERS.find(([pattern]) => pattern.test(text))?.[1] ?? 'no-session';
  // Without a screen nobody was asked: the prompter gave up, and the keychain is just locked.
  return state === 'dismissed' && !canPrompt ? 'locked' : state;
}
