import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { MINUTE } from '../../../../shared/rules/time/units.ts';

/*
 * Isolates LibreOffice by the operating system. On Linux, where ordinary users may create
 * namespaces, it runs in a network without other computers, and in its own file tree: the system's
 * programs, libraries and fonts, and the folder of this one conversion. Any other file or address
 * in a document is unreachable.
 */

/** 'all': no network and no other files; 'network': only no network; 'none': no isolation. */
export type IsolationLevel = 'all' | 'network' | 'none';

const NO_NETWORK_COMMAND = ['unshare', '--user', '--map-root-user', '--net', '--'] as const;
const NO_FILES_COMMAND = [
  ...['unshare', '--user', '--map-root-user', '--net', '--mount'],
  ...['--pid', '--fork', '--kill-child', '--'],
] as const;

/**
 * Programs, libraries, fonts and their settings; NixOS and Guix keep all of these in their stores.
 */
const SYSTEM_FOLDERS = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'],
  ...['/etc/fonts', '/etc/libreoffice', '/etc/alternatives', '/etc/ld.so.cache', '/etc/localtime'],
  ...['/var/cache/fontconfig', '/var/lib/libreoffice', '/run/current-system'],
  ...['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'],
];

/*
 * Arguments: the folder of the conversion, the paths that are shown, `--`, and the program. `mount`
 * and similar programs may be outside the PATH of an ordinary user. /proc shows only the processes
 * of this conversion. The program is not the first process, because limits do not end a first
 * process.
 */
const ISOLATION_SCRIPT = `
set -e
PATH="$PATH:/usr/sbin:/sbin:/usr/bin:/bin"
place=$1; shift
root=$place/root
mkdir -p "$root"
mount -t tmpfs -o size=64m,mode=0755 tmpfs "$root"
show() {
  if [ -d "$1" ]; then mkdir -p "$root$1"; mount --rbind "$1" "$root$1"
  elif [ -e "$1" ] && [ ! -e "$root$1" ] && [ ! -L "$root$1" ]; then
    mkdir -p "$root\${1%/*}"; : > "$root$1"; mount --bind "$1" "$root$1"
  fi
}
while [ "$1" != -- ]; do show "$1"; shift; done
shift
mkdir -p "$root/tmp" "$root/var/tmp" "$root/dev/shm" "$root/proc" "$root/before" "$root$place"
mount -t proc proc "$root/proc"
mount --bind "$place" "$root$place"
cd "$root"
pivot_root . before
cd "$place"
umount -l /before
"$@"
exit $?
`;

const isolationByProgram = new Map<string, Promise<IsolationLevel>>();

/** Returns the isolation that this system supports for a program. It is tested once per program. */
export function detectIsolation(
  program: string,
  platform: NodeJS.Platform = process.platform,
): Promise<IsolationLevel> {
  if (platform !== 'linux') return Promise.resolve('none');
  const found = isolationByProgram.get(program) ?? probeIsolation(program);
  isolationByProgram.set(program, found);
  return found;
}

/**
 * Tests the strictest isolation first. If a script starts the program from another folder, the
 * program is not found in the isolated file tree. It then keeps access to all files.
 */
async function probeIsolation(program: string): Promise<IsolationLevel> {
  const place = await realpath(await mkdtemp(path.join(tmpdir(), 'signing-desk-apart-')));
  try {
    const words = isolationCommandFor('all', { place, shown: await readableFoldersFor(program) });
    const isApart = 'test -e /proc/self && test ! -e /before/usr && exec "$1" --version';
    const env = { PATH: process.env['PATH'] ?? '', HOME: place, TMPDIR: place };
    if (
      await canRunCommand(
        [...words, '/bin/sh', '-c', isApart, 'sh', await realpathOrSame(program)],
        env,
      )
    ) {
      return 'all';
    }
    return (await canRunCommand([...NO_NETWORK_COMMAND, 'true'], env)) ? 'network' : 'none';
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function canRunCommand(
  [first = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  try {
    await promisify(execFile)(first, args, { env, timeout: MINUTE });
    return true;
  } catch {
    return false;
  }
}

/** Returns the command that starts a program with the isolation that this system supports. */
export async function isolatedCommandFor(
  program: string,
  place: string,
): Promise<readonly string[]> {
  const apart = await detectIsolation(program);
  if (apart !== 'all') return [...isolationCommandFor(apart, { place, shown: [] }), program];
  const words = isolationCommandFor(apart, { place, shown: await readableFoldersFor(program) });
  // The name by which the program was found may be a link that does not exist in the isolated file
  // tree.
  return [...words, await realpathOrSame(program)];
}

const realpathOrSame = (file: string): Promise<string> => realpath(file).catch(() => file);

/**
 * Returns the paths that a program can read: the system, its own folder if installed elsewhere, and
 * the user's fonts.
 */
async function readableFoldersFor(program: string): Promise<readonly string[]> {
  const file = await realpathOrSame(program);
  const isOfSystem = SYSTEM_FOLDERS.some((one) => file.startsWith(`${one}/`));
  const installed = isOfSystem ? [] : [installationFolderOf(file)];
  const data = process.env['XDG_DATA_HOME'] ?? path.join(homedir(), '.local', 'share');
  const fonts = [path.join(data, 'fonts'), path.join(homedir(), '.fonts')];
  const settings = process.env['FONTCONFIG_FILE'];
  const own = [...installed, ...fonts, ...(settings === undefined ? [] : [settings])];
  return [...SYSTEM_FOLDERS, ...own.filter((one) => path.isAbsolute(one) && one !== '/')];
}

/**
 * Returns the folder of an installation. LibreOffice's program is in its folder `program`, next to
 * `share`; of any other program, only its file is shown.
 */
function installationFolderOf(file: string): string {
  const folder = path.dirname(file);
  const whole = path.dirname(folder);
  const holdsHome = `${homedir()}/`.startsWith(`${whole}/`);
  return path.basename(folder) === 'program' && !holdsHome ? whole : file;
}

function isolationCommandFor(
  apart: IsolationLevel,
  { place, shown }: { readonly place: string; readonly shown: readonly string[] },
): readonly string[] {
  switch (apart) {
    case 'none':
      return [];
    case 'network':
      return NO_NETWORK_COMMAND;
    case 'all':
      return [...NO_FILES_COMMAND, '/bin/sh', '-c', ISOLATION_SCRIPT, 'sh', place, ...shown, '--'];
  }
}
