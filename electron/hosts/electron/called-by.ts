import type { Environment } from '../data-dir.ts';

/**
 * The words that call an installed program from outside of itself. An AppImage is called by its file:
 * where it is mounted now is gone after the run. What runs within a Flatpak or a Snap has a place that
 * nothing outside can call, so those are called by their own commands (build/package/manifests).
 */
export function calledBy(env: Environment, execPath: string): readonly string[] {
  if (env['FLATPAK_ID'] !== undefined) return ['flatpak', 'run', env['FLATPAK_ID']];
  if (isSnap(env)) return [`/snap/bin/${env['SNAP_NAME'] ?? ''}`];
  return [env['APPIMAGE'] ?? execPath];
}

/**
 * Whether a file in the person's `autostart` folder would start the program: what runs in a Flatpak or
 * a Snap writes into a folder of its own, which no desktop reads.
 */
export function readsAutostart(env: Environment): boolean {
  return env['FLATPAK_ID'] === undefined && !isSnap(env);
}

/** A terminal that is a Snap hands its variables on: only what lies in the Snap is of it. */
function isSnap(env: Environment): boolean {
  return env['SNAP'] !== undefined && env['SNAP_NAME'] === 'signing-desk';
}
