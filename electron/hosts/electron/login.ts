import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from 'electron';
import { AppError } from '../../../shared/errors.ts';
import { type Environment, userConfigFolder } from '../data-dir.ts';

/** Setting whether the program starts when the user signs in; only the system stores it. */
export interface LoginStart {
  isOn(): boolean;
  /** Changes the setting. Throws 'storage' if the system rejects it. */
  set(isOn: boolean): void;
}

export interface LoginCommand {
  readonly program: string;
  readonly args: readonly string[];
}

type LoginItems = Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>;

/** Returns the login start by the system's own list on macOS and Windows. */
export function systemLoginStart(app: LoginItems, { program, args }: LoginCommand): LoginStart {
  // Windows finds an entry only by the exact command that it runs.
  const what = { path: program, args: [...args] };
  return {
    isOn: () => app.getLoginItemSettings(what).openAtLogin,
    set: (isOn) => app.setLoginItemSettings({ openAtLogin: isOn, ...what }),
  };
}

/**
 * Returns the login start by a file of this program in the user's `autostart` folder (XDG Desktop
 * Application Autostart Specification). Switching it off removes the file. Desktops disable an
 * entry by a line in the file.
 */
export function autostartFile(env: Environment, command: LoginCommand): LoginStart {
  const file = path.join(userConfigFolder(env), 'autostart', 'signing-desk.desktop');
  return {
    isOn() {
      try {
        return !/^(?:Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(
          readFileSync(file, 'utf8'),
        );
      } catch {
        return false;
      }
    },
    set(isOn) {
      try {
        if (!isOn) return rmSync(file, { force: true });
        mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        writeFileSync(file, autostartEntry(command));
      } catch (error) {
        throw new AppError(
          'storage',
          `The start with the computer could not be changed: ${String(error)}`,
        );
      }
    },
  };
}

const autostartEntry = ({ program, args }: LoginCommand): string => `[Desktop Entry]
Type=Application
Name=Signing Desk
Exec=${[program, ...args].map(quote).join(' ')}
Icon=signing-desk
Terminal=false
X-GNOME-Autostart-enabled=true
`;

/**
 * Quotes a word by the Desktop Entry Specification, "The Exec key". Within quotes, four characters
 * take a backslash and a percent sign is doubled. Then, as in every value, each backslash is
 * written twice.
 */
function quote(text: string): string {
  if (/[\n\r]/.test(text)) throw new Error('a path with a line break');
  const quoted = `"${text.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`;
  return quoted.replaceAll('\\', String.raw`\\`);
}
