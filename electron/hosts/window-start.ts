import { isToOpen, wordsToOpen } from './open-arguments.ts';

/** What the program was started for. */
export type Start =
  | { readonly kind: 'command' }
  | {
      readonly kind: 'window';
      readonly data: string | undefined;
      /** As it was written; of the window of this start alone. */
      readonly lang: string | undefined;
      /** Links and files to open, which stand last. */
      readonly open: readonly string[];
    };

/**
 * For Electron on Linux, which ends without a display before a command of ours begins. What makes
 * `--headless` choose the platform is a part of Chrome that Electron does not have
 * (chrome/browser/headless/headless_mode_util.cc): the platform is named too.
 * @internal
 */
export const WITHOUT_DISPLAY = [
  '--headless',
  '--disable-gpu',
  '--ozone-platform=headless',
] as const;
export const NO_SANDBOX = '--no-sandbox';

/** And what stands in front where no sandbox can be made. */
const IN_FRONT: readonly string[] = [...WITHOUT_DISPLAY, NO_SANDBOX];

/**
 * What stands in front of a command of Electron's program. As root it starts nothing without the last
 * switch; a command makes no page that would need a sandbox.
 */
export const commandSwitches = (platform: NodeJS.Platform, uid?: number): readonly string[] =>
  platform === 'linux' ? [...WITHOUT_DISPLAY, ...(uid === 0 ? [NO_SANDBOX] : [])] : [];

/** How many switches of the browser stand in front of a command. */
export function browserSwitches(args: readonly string[]): number {
  const first = args.findIndex((arg) => !IN_FRONT.includes(arg));
  return first === -1 ? args.length : first;
}

const OPTIONS = ['data', 'lang'] as const;
const ASKS_ABOUT_ITSELF = ['--help', '-h', '--version', '-V'];

/**
 * Tells a command (`archive run …`) from the start of a window, with a link or files to open or
 * without.
 * @param args the arguments after the program's own name; switches of the browser may be among them.
 * @param cwd where relative paths begin.
 */
export function readStart(args: readonly string[], cwd = process.cwd()): Start {
  const given: { data?: string | undefined; lang?: string | undefined } = {};
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (isToOpen(arg)) {
      const { data, lang } = given;
      return { kind: 'window', data, lang, open: wordsToOpen(args.slice(index), cwd) };
    }
    if (ASKS_ABOUT_ITSELF.includes(arg)) return { kind: 'command' };
    const option = OPTIONS.find((name) => arg === `--${name}` || arg.startsWith(`--${name}=`));
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
