import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { MINUTE } from '../../../../shared/rules/time/units.ts';

/*
 * What the system itself keeps from LibreOffice. On Linux, where ordinary users may ask for it, it
 * runs in a network with nobody in it, and in a tree of files of its own: the system's programs,
 * libraries and fonts, and the folder of this one conversion. Whatever else a document names is not
 * there.
 */

/** 'all': no network and no other files; 'network': no network alone; 'none': neither. */
export type Apart = 'all' | 'network' | 'none';

const NO_NETWORK = ['unshare', '--user', '--map-root-user', '--net', '--'] as const;
const NO_FILES = [
  ...['unshare', '--user', '--map-root-user', '--net', '--mount'],
  ...['--pid', '--fork', '--kill-child', '--'],
] as const;

/** Programs, libraries, fonts and their settings; NixOS and Guix keep all of it in their stores. */
const SYSTEM = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'],
  ...['/etc/fonts', '/etc/libreoffice', '/etc/alternatives', '/etc/ld.so.cache', '/etc/localtime'],
  ...['/var/cache/fontconfig', '/var/lib/libreoffice', '/run/current-system'],
  ...['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'],
];

/*
 * The first argument is the folder of the conversion, then come the places that are shown, `--`, and
 * the program. `mount` and its like may lie where an ordinary user's PATH does not lead. /proc shows the
 * processes of this conversion alone. The program is no first process, since limits end no such one.
 */
const SCRIPT = `
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

const known = new Map<string, Promise<Apart>>();

/** How far this system lets a program be kept apart; tried out once for each. */
export function howApart(
  program: string,
  platform: NodeJS.Platform = process.platform,
): Promise<Apart> {
  if (platform !== 'linux') return Promise.resolve('none');
  const found = known.get(program) ?? tried(program);
  known.set(program, found);
  return found;
}

/** One that a script starts from elsewhere does not find itself there, and keeps its files. */
async function tried(program: string): Promise<Apart> {
  const place = await realpath(await mkdtemp(path.join(tmpdir(), 'signing-desk-apart-')));
  try {
    const words = wordsFor('all', { place, shown: await placesOf(program) });
    const isApart = 'test -e /proc/self && test ! -e /before/usr && exec "$1" --version';
    const env = { PATH: process.env['PATH'] ?? '', HOME: place, TMPDIR: place };
    if (await works([...words, '/bin/sh', '-c', isApart, 'sh', await real(program)], env)) {
      return 'all';
    }
    return (await works([...NO_NETWORK, 'true'], env)) ? 'network' : 'none';
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function works(
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

/** The words that start a program, kept apart as far as this system lets it be. */
export async function startApart(program: string, place: string): Promise<readonly string[]> {
  const apart = await howApart(program);
  if (apart !== 'all') return [...wordsFor(apart, { place, shown: [] }), program];
  const words = wordsFor(apart, { place, shown: await placesOf(program) });
  // The name by which it was found may be a link that is not there.
  return [...words, await real(program)];
}

const real = (file: string): Promise<string> => realpath(file).catch(() => file);

/** What a program finds: the system, itself where it lies elsewhere, and the person's own fonts. */
async function placesOf(program: string): Promise<readonly string[]> {
  const file = await real(program);
  const isOfSystem = SYSTEM.some((one) => file.startsWith(`${one}/`));
  const installed = isOfSystem ? [] : [installedAt(file)];
  const data = process.env['XDG_DATA_HOME'] ?? path.join(homedir(), '.local', 'share');
  const fonts = [path.join(data, 'fonts'), path.join(homedir(), '.fonts')];
  const settings = process.env['FONTCONFIG_FILE'];
  const own = [...installed, ...fonts, ...(settings === undefined ? [] : [settings])];
  return [...SYSTEM, ...own.filter((one) => path.isAbsolute(one) && one !== '/')];
}

/** LibreOffice's program lies in `program`, beside `share`; of any other only its file is shown. */
function installedAt(file: string): string {
  const folder = path.dirname(file);
  const whole = path.dirname(folder);
  const holdsHome = `${homedir()}/`.startsWith(`${whole}/`);
  return path.basename(folder) === 'program' && !holdsHome ? whole : file;
}

function wordsFor(
  apart: Apart,
  { place, shown }: { readonly place: string; readonly shown: readonly string[] },
): readonly string[] {
  switch (apart) {
    case 'none':
      return [];
    case 'network':
      return NO_NETWORK;
    case 'all':
      return [...NO_FILES, '/bin/sh', '-c', SCRIPT, 'sh', place, ...shown, '--'];
  }
}
