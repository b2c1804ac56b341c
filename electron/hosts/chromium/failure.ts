/**
 * Texts with which browsers, or playwright on their behalf, report that the display does not
 * answer.
 */
const NO_DISPLAY_PATTERN =
  /Missing X server|without having a XServer|Failed to connect to Wayland|platform failed to initialize/;
/**
 * Pattern of a line that the browser itself wrote, without its position in the browser's source.
 */
const BROWSER_ERROR_LINE = /\[err\] (?:\[[^\]]*\] )?(.+)/;
const FILE_ERROR_CODES = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOENT', 'ENOTDIR'];

/**
 * Returns sentences with the reason why a window did not open, and what to do.
 * @param error Error from the start of the browser or of the desk.
 * @param screen Display that the environment names.
 */
export function windowFailureText(error: unknown, browser: string, screen: string): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message } = error;
  const [first = ''] = message.replace(/^browserType\.\w+: /, '').split('\n', 1);
  if (name === 'TimeoutError') {
    return `${browser} was started and did not answer. Close its other windows and try again, or install another browser.`;
  }
  if (message.startsWith('browserType.')) {
    if (NO_DISPLAY_PATTERN.test(message)) {
      return `The screen ${screen} does not answer. Start the program in a desktop session of this computer; the command line needs no screen.`;
    }
    const lines = message
      .split('\n')
      .flatMap((line) => BROWSER_ERROR_LINE.exec(line)?.[1]?.trim() ?? []);
    const said = lines.at(-1) ?? first;
    return `${browser} ended before its window opened (${said}). Start it without this program to see whether it works, or install another browser.`;
  }
  const code = 'code' in error ? String(error.code) : '';
  return FILE_ERROR_CODES.includes(code)
    ? `${first}. Name a data folder that you can write to: --data FOLDER`
    : first;
}
