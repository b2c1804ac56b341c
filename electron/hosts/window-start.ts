import { isOpenableArgument, openableArguments } from './open-arguments.ts';

export type Start =
  | { readonly kind: 'command' }
  | {
      readonly kind: 'window';
      readonly data: string | undefined;
      /** Unparsed name of a language, valid only for the window of this start. */
      readonly lang: string | undefined;
      /** Links and files to open; they are the last arguments. */
      readonly open: readonly string[];
    };

/**
 * Switches for Electron on Linux, which without a display ends before a command of this program
 * begins. Electron lacks the part of Chrome in which `--headless` chooses the platform
 * (chrome/browser/headless/headless_mode_util.cc), so the platform is named too.
 * @internal
 */
export const HEADLESS_SWITCHES = [
  '--headless',
  '--disable-gpu',
  '--ozone-platform=headless',
] as const;
export const NO_SANDBOX_SWITCH = '--no-sandbox';

/** Switches before a command; `NO_SANDBOX_SWITCH` if no sandbox can be created. */
const LEADING_SWITCHES: readonly string[] = [...HEADLESS_SWITCHES, NO_SANDBOX_SWITCH];

/**
 * Returns the switches before a command of Electron's program. As root, Electron starts nothing
 * without the last switch; a command creates no page that would need a sandbox.
 */
export const commandSwitches = (platform: NodeJS.Platform, uid?: number): readonly string[] =>
  platform === 'linux' ? [...HEADLESS_SWITCHES, ...(uid === 0 ? [NO_SANDBOX_SWITCH] : [])] : [];

export function countBrowserSwitches(args: readonly string[]): number {
  const first = args.findIndex((arg) => !LEADING_SWITCHES.includes(arg));
  return first === -1 ? args.length : first;
}

const WINDOW_START_OPTIONS = ['data', 'lang'] as const;
const SELF_DESCRIPTION_OPTIONS = ['--help', '-h', '--version', '-V'];

/**
 * Distinguishes a command (`archive run …`) from the start of a window, with or without a link or
 * files to open.
 * @param args The arguments after the program's name; browser switches may be among them.
 * @param cwd Base of relative paths.
 */
export function readStart(args: readonly string[], cwd = process.cwd()): Start {
  const given: { data?: string | undefined; lang?: string | undefined } = {};
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (isOpenableArgument(arg)) {
      const { data, lang } = given;
      return { kind: 'window', data, lang, open: openableArguments(args.slice(index), cwd) };
    }
    if (SELF_DESCRIPTION_OPTIONS.includes(arg)) return { kind: 'command' };
    const option = WINDOW_START_OPTIONS.find(
      (name) => arg === `--${name}` || arg.startsWith(`--${name}=`),
    );
    if (option === undefined) {
      if (!arg.startsWith('-')) return { kind: 'command' };
    } else if (arg === `--${option}`) {
      index += 1;
      given[option] = args[index];
    } else {
      given[option] = arg.slice(option.length + '--='.length);
    }
  }
  return { kind: 'window', data: given.data, lang: given.lang, open: [] };
}
