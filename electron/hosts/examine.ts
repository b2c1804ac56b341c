import type { DoctorCheck } from '../../shared/contract/host.ts';
import { findBrowser, findProgram, thisMachine } from './find-browser.ts';
import { sandboxObstacle } from './sandbox.ts';
import { findAvailableDisplay, hasScreen } from './screen.ts';
import { BROWSER_PACKAGES, installInstruction } from './system-packages.ts';

type HostCheckResult = Pick<DoctorCheck, 'finding' | 'value' | 'note'>;

const warningCheck = (
  name: DoctorCheck['name'],
  { finding, value, note }: HostCheckResult,
): DoctorCheck => ({
  name,
  ok: true,
  note: `WARNING: ${note}`,
  finding,
  value,
});
const informationalCheck = (name: DoctorCheck['name'], value: string): DoctorCheck => ({
  name,
  ok: true,
  note: value,
  finding: 'stated',
  value,
});

/** Checks whether a window can open on this computer, and whether rules run without one. */
export function examineHost(): DoctorCheck[] {
  return [
    // A packaged program contains its own browser.
    ...(process.versions['electron'] === undefined ? [checkBrowser()] : []),
    ...(process.platform === 'linux' ? [checkScreen(), ...checkSandbox()] : []),
    checkSchedulers(),
  ];
}

function checkBrowser(): DoctorCheck {
  const file = findBrowser();
  if (file === undefined) {
    const note = `no Chrome, Edge or Chromium was found. Without one, the window opens only where Electron runs. ${installInstruction(BROWSER_PACKAGES)}`;
    return warningCheck('browser', { finding: 'no-browser', value: '', note });
  }
  if (!thisMachine.isSnap(file)) return informationalCheck('browser', file);
  const note = `${file} is a snap. If the window does not open, install Chrome or another Chromium`;
  return warningCheck('browser', { finding: 'browser-snap', value: file, note });
}

function checkScreen(): DoctorCheck {
  const { env, platform } = process;
  const answering = findAvailableDisplay(env);
  if (answering !== null) return informationalCheck('screen', answering);
  const why = hasScreen(env, platform)
    ? `none answers (DISPLAY is ${env['DISPLAY'] || 'not set'}, WAYLAND_DISPLAY ${env['WAYLAND_DISPLAY'] || 'not set'})`
    : 'none (DISPLAY is not set)';
  const note = `${why}: commands work, but the window does not open`;
  return warningCheck('screen', { finding: 'no-screen', value: '', note });
}

/** Checks the sandbox of the window; Chromium refuses to create one when `root` runs it. */
function checkSandbox(): DoctorCheck[] {
  switch (sandboxObstacle()) {
    case null:
      return [];
    case 'root': {
      const note =
        'the Chromium window has no sandbox when it runs as root. Use an ordinary account';
      return [warningCheck('browser sandbox', { finding: 'no-sandbox', value: '', note })];
    }
    case 'no-namespaces': {
      const note =
        'this system does not let ordinary programs create a sandbox, so an AppImage runs its ' +
        'window without one. Install the .deb package, which includes a profile for it';
      return [warningCheck('browser sandbox', { finding: 'no-namespaces', value: '', note })];
    }
  }
}

/** Checks for schedulers for which `archive schedule install` writes recipes. */
function checkSchedulers(): DoctorCheck {
  if (process.platform === 'darwin') return informationalCheck('schedulers', 'launchd');
  if (process.platform === 'win32') return informationalCheck('schedulers', 'task-scheduler');
  const programs = { systemd: 'systemctl', cron: 'crontab' };
  const found = Object.entries(programs).filter(([, name]) => findProgram(name) !== undefined);
  if (found.length > 0)
    return informationalCheck('schedulers', found.map(([name]) => name).join(', '));
  const note =
    'neither systemd nor cron was found, so rules run only while the window is open or by run-due. Install cron';
  return warningCheck('schedulers', { finding: 'no-scheduler', value: '', note });
}
