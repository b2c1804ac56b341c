import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Properties of the computer that determine its font folders. */
interface FontEnvironment {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Text of fontconfig's own list of folders, if there is one. */
  readonly fontconfig?: string;
}

/** File with the folders that fontconfig searches besides those of the desktop. */
const FONTCONFIG = '/etc/fonts/fonts.conf';
const LISTED_FOLDER = /<dir(?<rest>[^>]*)>(?<folder>[^<]+)<\/dir>/g;
/** Folders where Flatpak shows the fonts of the computer and of the user. */
const FLATPAK_FONT_FOLDERS = ['/run/host/fonts', '/run/host/user-fonts'];

/**
 * Returns the font folders, the computer's before the user's own; they need not exist.
 * @internal
 */
export function fontFolders({
  platform,
  env,
  home,
  fontconfig,
}: FontEnvironment): readonly string[] {
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

function windowsFolders(env: FontEnvironment['env'], home: string): string[] {
  const system = env['SystemRoot'] ?? env['windir'] ?? 'C:\\Windows';
  const local = env['LOCALAPPDATA'] ?? path.win32.join(home, 'AppData', 'Local');
  return [
    path.win32.join(system, 'Fonts'),
    path.win32.join(local, 'Microsoft', 'Windows', 'Fonts'),
  ];
}

function linuxFolders(env: FontEnvironment['env'], home: string, fontconfig: string): string[] {
  const { join } = path.posix;
  const own = env['XDG_DATA_HOME'] || join(home, '.local/share');
  const shared = (env['XDG_DATA_DIRS'] || '/usr/local/share:/usr/share').split(':');
  const listed = [...fontconfig.matchAll(LISTED_FOLDER)].flatMap(({ groups }) => {
    const folder = groups?.['folder']?.trim() ?? '';
    if (groups?.['rest']?.includes('prefix="xdg"') === true) return join(own, folder);
    return folder.startsWith('~') ? join(home, folder.slice(1)) : folder;
  });
  const all = [...shared.map((one) => join(one, 'fonts')), ...listed, join(own, 'fonts')];
  return [...all, join(home, '.fonts'), ...FLATPAK_FONT_FOLDERS].filter((one) =>
    path.posix.isAbsolute(one),
  );
}

export function systemFontFolders(): readonly string[] {
  const { platform, env } = process;
  return fontFolders({ platform, env, home: os.homedir(), fontconfig: readFontconfig() });
}

/** Returns the text of fontconfig's list; empty if the file is missing or unreadable. */
function readFontconfig(): string {
  try {
    return readFileSync(FONTCONFIG, 'utf8');
  } catch {
    return '';
  }
}
