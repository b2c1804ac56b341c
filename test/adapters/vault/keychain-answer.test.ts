import { expect, it } from 'vitest';
import { keychainTrouble } from '../../../electron/adapters/vault/keychain-answer.ts';

const STORAGE = "Couldn't access platform storage: ";
const PLATFORM = 'Platform failure: ';

it.each([
  [`${STORAGE}Secret Service: unlock prompt was dismissed`, 'dismissed'],
  [`${STORAGE}User canceled the operation.`, 'dismissed'],
  [`${STORAGE}SS Error: object locked`, 'locked'],
  [`${PLATFORM}User interaction is not allowed.`, 'locked'],
  [
    `${PLATFORM}DBus error: Rejected send message, 2 matched rules; type="method_call", member="OpenSession"`,
    'denied',
  ],
  [`${PLATFORM}The user name or passphrase you entered is not correct.`, 'denied'],
  [
    `${PLATFORM}DBus error: Using X11 for dbus-daemon autolaunch was disabled at compile time`,
    'no-session',
  ],
  [`${PLATFORM}DBus error: Failed to connect to socket /run/user/0/bus`, 'no-session'],
  [`${STORAGE}Secret Service: no result found`, 'no-session'],
  ['something nobody has seen', 'no-session'],
] as const)('the keychain answer "%s" means %s', (message, state) => {
  expect(keychainTrouble(new Error(message), true)).toBe(state);
});

it('a prompt that could not be shown was not dismissed', () => {
  const error = new Error(`${STORAGE}Secret Service: unlock prompt was dismissed`);
  expect(keychainTrouble(error, false)).toBe('locked');
});
