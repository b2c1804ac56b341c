import type { Environment } from '../data-dir.ts';

/**
 * Returns the words that call an installed program from outside. An AppImage is called by its file,
 * because its mount point disappears after the run. The path inside a Flatpak or a Snap cannot be
 * called from outside, so these packages use their own commands (build/package/manifests).
 */
export function launchCommandOf(env: Environment, execPath: string): readonly string[] {
  if (env['FLATPAK_ID'] !== undefined) return ['flatpak', 'run', env['FLATPAK_ID']];
  if (isSnap(env)) return [`/snap/bin/${env['SNAP_NAME'] ?? ''}`];
  return [env['APPIMAGE'] ?? execPath];
}

/**
 * Whether a file in the user's `autostart` folder would start the program. Flatpak and Snap
 * programs write into a folder of their own, which no desktop reads.
 */
export function supportsAutostartFile(env: Environment): boolean {
  return env['FLATPAK_ID'] === undefined && !isSnap(env);
}

/**
 * Whether this program runs inside its Snap. A terminal that is a Snap passes its variables on, so
 * the name of the Snap is compared.
 */
function isSnap(env: Environment): boolean {
  return env['SNAP'] !== undefined && env['SNAP_NAME'] === 'signing-desk';
}
