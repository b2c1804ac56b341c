import { describe, expect, it } from 'vitest';
import {
  launchCommandOf,
  supportsAutostartFile,
} from '../../../electron/hosts/electron/called-by.ts';

const EXE = '/opt/Signing Desk/signing-desk';

describe('the command of an installed program in a scheduler’s task', () => {
  it('is its file, and for an AppImage the file that the user has', () => {
    expect(launchCommandOf({}, EXE)).toEqual([EXE]);
    expect(
      launchCommandOf({ APPIMAGE: '/home/ada/desk.AppImage' }, '/tmp/.mount/signing-desk'),
    ).toEqual(['/home/ada/desk.AppImage']);
  });

  it('is the manager’s command for a Flatpak and a Snap, which cannot start at login', () => {
    const flatpak = { FLATPAK_ID: 'org.signingdesk.app' };
    expect(launchCommandOf(flatpak, '/app/signing-desk/signing-desk')).toEqual([
      'flatpak',
      'run',
      'org.signingdesk.app',
    ]);
    const snap = { SNAP: '/snap/signing-desk/7', SNAP_NAME: 'signing-desk' };
    expect(launchCommandOf(snap, '/snap/signing-desk/7/signing-desk')).toEqual([
      '/snap/bin/signing-desk',
    ]);
    expect([flatpak, snap, {}].map(supportsAutostartFile)).toEqual([false, false, true]);
  });

  it('is its file if only the calling terminal is a Snap', () => {
    const terminal = { SNAP: '/snap/code/7', SNAP_NAME: 'code' };
    expect(launchCommandOf(terminal, EXE)).toEqual([EXE]);
    expect(supportsAutostartFile(terminal)).toBe(true);
  });
});
