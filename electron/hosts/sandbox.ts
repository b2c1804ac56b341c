import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Why a browser cannot make its sandbox for this account. */
export type SandboxObstacle =
  /** Electron ends at once for root; Chromium runs without a sandbox then. */
  | 'root'
  /** Ordinary accounts may make no namespaces of their own: Ubuntu from 24.04 on, some containers. */
  | 'no-namespaces';

/** The operating system as far as sandboxes depend on it. */
export interface SandboxMachine {
  readonly platform: NodeJS.Platform;
  /** Null where accounts have no numbers. */
  readonly uid: number | null;
  /** Whether `unshare -Ur true` succeeds; null where there is no `unshare`. */
  readonly canUnshare: () => boolean | null;
  /** A setting of the kernel by its path below `/proc/sys`; null where there is none. */
  readonly kernelSetting: (name: string) => string | null;
}

const UNSHARE_MS = 5_000;

const thisMachine: SandboxMachine = {
  platform: process.platform,
  uid: process.getuid?.() ?? null,
  canUnshare() {
    // What the AppRun of an AppImage asks, too.
    const { status, error } = spawnSync('unshare', ['-Ur', 'true'], {
      stdio: 'ignore',
      timeout: UNSHARE_MS,
    });
    return error === undefined ? status === 0 : null;
  },
  kernelSetting(name) {
    const file = `/proc/sys/${name}`;
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  },
};

/** Why Chromium's and Electron's own sandbox cannot be made here; null where it can, and where it needs nothing of the system. */
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
