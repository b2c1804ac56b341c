import { describe, expect, it } from 'vitest';
import { startWindow, type StartedWindow } from '../../support/desks/started-window.ts';

function favoursOf({ state }: StartedWindow) {
  if (state.setup === undefined) throw new Error('the desk was not made');
  return state.setup.features;
}

describe('the desktop features of the Electron window', () => {
  it('open a file, and report why if that fails', async () => {
    const started = await startWindow();
    await favoursOf(started).openPath('/archive/Lease.pdf');
    expect(started.electron.seen.asked).toContainEqual(['openPath', '/archive/Lease.pdf']);
    started.electron.shell.openPath = () => Promise.resolve('no application for this file');
    await expect(favoursOf(started).openPath('/archive/x')).rejects.toThrow('no application');
  });

  it('let a file be dragged out of the window', async () => {
    const started = await startWindow();
    await favoursOf(started).dragFile('/archive/Lease.pdf');
    expect(started.window.webContents.dragged).toEqual([
      { file: '/archive/Lease.pdf', icon: expect.objectContaining({ of: '/archive/Lease.pdf' }) },
    ]);
  });

  it('let a file be dragged on a system without file icons (PK-13)', async () => {
    const started = await startWindow();
    started.electron.app.getFileIcon = (file) => Promise.resolve({ of: file, isEmpty: () => true });
    await favoursOf(started).dragFile('/archive/Lease.pdf');
    const data = expect.any(Uint8Array);
    expect(started.window.webContents.dragged).toEqual([
      { file: '/archive/Lease.pdf', icon: expect.objectContaining({ data, options: undefined }) },
    ]);
  });

  it('return the folder that a user chose, or none', async () => {
    const started = await startWindow();
    expect(await favoursOf(started).chooseFolder()).toBe('/home/ada/chosen');
    started.electron.dialog.showOpenDialog = () =>
      Promise.resolve({ canceled: true, filePaths: [] });
    expect(await favoursOf(started).chooseFolder()).toBeNull();
  });

  it('ask in a dialog outside of the page, with Cancel chosen, in the user’s language (SR-L10)', async () => {
    const started = await startWindow();
    const { confirm } = favoursOf(started);
    started.electron.seen.answers.push(0, 1, 1);
    const updates = {
      kind: 'updates',
      what: 'https://desk.example/u',
      fingerprint: 'SHA256:abc',
      connection: null,
    } as const;
    expect(await confirm?.(updates)).toBe(false);
    expect(await confirm?.(updates)).toBe(true);
    const connection = { name: 'Lund\nAllt är bra', environment: 'production' } as const;
    const recipients = { kind: 'recipients', what: null, fingerprint: null, connection } as const;
    expect(await confirm?.(recipients)).toBe(true);
    expect(started.electron.seen.questions).toMatchObject([
      {
        message: 'Ska nyare versioner av Signing Desk hämtas härifrån?',
        detail: 'https://desk.example/u\nNyckelns fingeravtryck: SHA256:abc',
        buttons: ['Avbryt', 'Tillåt'],
        defaultId: 0,
        cancelId: 0,
      },
      {},
      {
        message: 'Får den här anslutningen skicka till fler mottagare?',
        detail: '“Lund\uFFFDAllt är bra” (Produktion)\nAlla',
      },
    ]);
  });

  it('show notifications, progress, and the number of items that need attention', async () => {
    const started = await startWindow();
    favoursOf(started).notify('Archived', '12 agreements');
    expect(started.electron.seen.asked).toContainEqual([
      'notification',
      { title: 'Archived', body: '12 agreements' },
    ]);
    started.electron.seen.notices[0]?.emit('click');
    expect(started.window.calls).toEqual(['restore', 'show', 'focus']);
    favoursOf(started).progress(0.5);
    expect(started.window.progress).toBe(0.5);
    favoursOf(started).progress(null);
    expect(started.window.progress).toBeLessThan(0);
    favoursOf(started).badge(3);
    expect(started.electron.seen.asked).toContainEqual(['setBadgeCount', 3]);
  });
});
