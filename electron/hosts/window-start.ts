/** What the program was started for. */
export type Start =
  | { readonly kind: 'command' }
  | { readonly kind: 'window'; readonly data: string | undefined };

const DATA = '--data';
const ASKS_ABOUT_ITSELF = ['--help', '-h', '--version', '-V'];

/**
 * Tells a command (`archive run …`) from the start of a window.
 * @param args the arguments after the program's own name; switches of the browser may be among them.
 */
export function readStart(args: readonly string[]): Start {
  let data: string | undefined;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (ASKS_ABOUT_ITSELF.includes(arg)) return { kind: 'command' };
    if (arg === DATA) {
      index += 1;
      data = args[index];
    } else if (arg.startsWith(`${DATA}=`)) {
      data = arg.slice(DATA.length + 1);
    } else if (!arg.startsWith('-')) {
      return { kind: 'command' };
    }
  }
  return { kind: 'window', data };
}
