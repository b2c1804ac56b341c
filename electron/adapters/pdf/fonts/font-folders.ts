import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Of the computer the program runs on, as far as it says where fonts lie. */
interface Computer {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The text of fontconfig's own list of folders, where there is one. */
  readonly fontconfig?: string;
}

/** What fontconfig searches beside the folders that the desktop names (its `fonts.conf`). */
const FONTCONFIG = '/etc/fonts/fonts.conf';
const LISTED = /<dir(?<rest>[^>]*)>(?<folder>[^<]+)<\/dir>/g;
/** Where Flatpak shows the fonts of the computer and of the person. */
const FLATPAK = ['/run/host/fonts', '/run/host/user-fonts'];

/**
 * Folders that fonts are installed in, the computer's before a person's own; not all need be there.
 *
 * @internal
 */
export function fontFolders({ platform, env, home, fontconfig }: Computer): readonly string[] {
  const folders = {
    win32: () => windowsFolders(env, home),
    darwin: () => [
      ...['/System/Library/Fonts', '/Library/Fonts'],
      path.posix.join(home, 'Library/Fonts'),
    ],
  };
  if (platform === 'win32' || platform === 'darwin') return [...new Set(folders[platform]())];
  return [...new Set(linuxFolders(env, home, fontconfig ?? ''))];
}

function windowsFolders(env: Computer['env'], home: string): string[] {
  const system = env['SystemRoot'] ?? env['windir'] ?? 'C:\\Windows';
  const local = env['LOCALAPPDATA'] ?? path.win32.join(home, 'AppData', 'Local');
  return [
    path.win32.join(system, 'Fonts'),
    path.win32.join(local, 'Microsoft', 'Windows', 'Fonts'),
  ];
}

function linuxFolders(env: Computer['env'], home: string, fontconfig: string): string[] {
  const { join } = path.posix;
  const own = env['XDG_DATA_HOME'] || join(home, '.local/share');
  const shared = (env['XDG_DATA_DIRS'] || '/usr/local/share:/usr/share').split(':');
  const listed = [...fontconfig.matchAll(LISTED)].flatMap(({ groups }) => {
    const folder = groups?.['folder']?.trim() ?? '';
    if (groups?.['rest']?.includes('prefix="xdg"') === true) return join(own, folder);
    return folder.startsWith('~') ? join(home, folder.slice(1)) : folder;
  });
  const all = [...shared.map((one) => join(one, 'fonts')), ...listed, join(own, 'fonts')];
  return [...all, join(home, '.fonts'), ...FLATPAK].filter((one) => path.posix.isAbsolute(one));
}

/** Those of the computer the program runs on. */
export function systemFontFolders(): readonly string[] {
  const { platform, env } = process;
  return fontFolders({ platform, env, home: os.homedir(), fontconfig: readFontconfig() });
}

/** Nothing where there is none, or it cannot be read. */
function readFontconfig(): string {
  try {
    return readFileSync(FONTCONFIG, 'utf8');
  } catch {
    return '';
  }
}
