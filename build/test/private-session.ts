import { findProgram } from '../../electron/hosts/find-browser.ts';

/** Puts a message bus of its own around the tests, so that no test meets the person's keychain. */
export function inPrivateSession(
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  const session = findProgram('dbus-run-session');
  return session === undefined ? command : [session, '--', ...command];
}
