import { findProgram } from '../../electron/hosts/find-browser.ts';

/**
 * Returns the command that runs the tests with a message bus of their own, so that no test uses the
 * user's keychain.
 */
export function inPrivateSession(
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  const session = findProgram('dbus-run-session');
  return session === undefined ? command : [session, '--', ...command];
}
