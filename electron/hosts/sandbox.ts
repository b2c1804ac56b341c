import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Reason why a browser cannot create its sandbox for this account. */
export type SandboxObstacle =
  /** Account is root: Electron ends immediately; Chromium then runs without a sandbox. */
  | 'root'
  /**
   * Ordinary accounts may create no namespaces, as on Ubuntu from 24.04 on and in some containers.
   */
  | 'no-namespaces';

/** Operating system, as far as sandboxes depend on it. */
export interface SandboxMachine {
  readonly platform: NodeJS.Platform;
  /** Number of the account; null on systems whose accounts have no numbers. */
  readonly uid: number | null;
  /** Whether `unshare -Ur true` succeeds; null without `unshare`. */
  readonly canUnshare: () => boolean | null;
  /** Returns a kernel setting by its path below `/proc/sys`; null if it does not exist. */
  readonly kernelSetting: (name: string) => string | null;
}

const UNSHARE_TIMEOUT_MS = 5_000;

const thisMachine: SandboxMachine = {
  platform: process.platform,
  uid: process.getuid?.() ?? null,
  canUnshare() {
    // The same test as in the AppRun of an AppImage.
    const { status, error } = spawnSync('unshare', ['-Ur', 'true'], {
      stdio: 'ignore',
      timeout: UNSHARE_TIMEOUT_MS,
    });
    return error === undefined ? status === 0 : null;
  },
  kernelSetting(name) {
    const file = `/proc/sys/${name}`;
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  },
};

/**
 * Returns the reason why the sandbox of Chromium and Electron cannot be created on this computer;
 * null if it can, or if it needs nothing from the system.
 */
export function sandboxObstacle(machine: SandboxMachine = thisMachine): SandboxObstacle | null {
  if (machine.platform !== 'linux') return null;
  if (machine.uid === 0) return 'root';
  const isAllowed =
    machine.canUnshare() ??
    (machine.kernelSetting('kernel/apparmor_restrict_unprivileged_userns') !== '1' &&
      machine.kernelSetting('kernel/unprivileged_userns_clone') !== '0' &&
      machine.kernelSetting('user/max_user_namespaces') !== '0');
  return isAllowed ? null : 'no-namespaces';
}
