import { describe, expect, it } from 'vitest';
import { calledBy, readsAutostart } from '../../../electron/hosts/electron/called-by.ts';

const EXE = '/opt/Signing Desk/signing-desk';

describe('how an installed program is called in a scheduler’s recipe', () => {
  it('is by its file, and an AppImage by the file that a person has', () => {
    expect(calledBy({}, EXE)).toEqual([EXE]);
    expect(calledBy({ APPIMAGE: '/home/ada/desk.AppImage' }, '/tmp/.mount/signing-desk')).toEqual([
      '/home/ada/desk.AppImage',
    ]);
  });

  it('is by the manager’s own command in a Flatpak and in a Snap, where it starts at no login', () => {
    const flatpak = { FLATPAK_ID: 'org.signingdesk.app' };
    expect(calledBy(flatpak, '/app/signing-desk/signing-desk')).toEqual([
      'flatpak',
      'run',
      'org.signingdesk.app',
    ]);
    const snap = { SNAP: '/snap/signing-desk/7', SNAP_NAME: 'signing-desk' };
    expect(calledBy(snap, '/snap/signing-desk/7/signing-desk')).toEqual(['/snap/bin/signing-desk']);
    expect([flatpak, snap, {}].map(readsAutostart)).toEqual([false, false, true]);
  });

  it('is by its file where only the terminal that it is called from is a Snap', () => {
    const terminal = { SNAP: '/snap/code/7', SNAP_NAME: 'code' };
    expect(calledBy(terminal, EXE)).toEqual([EXE]);
    expect(readsAutostart(terminal)).toBe(true);
  });
});
