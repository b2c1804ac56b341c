import { describe, expect, it } from 'vitest';
import { hostWords } from '../../../electron/hosts/electron/words.ts';
import { type StartedWindow, startWindow } from '../../support/desks/started-window.ts';

const WAITING = '2 avtal har inte skickats än.';
const quiet = { staysInTray: false, underWay: [], beforeQuitting: null };
const waiting = { ...quiet, beforeQuitting: WAITING };
const background = { ...quiet, staysInTray: true };

async function startWith(status: typeof quiet | typeof waiting) {
  const started = await startWindow();
  started.state.setup?.features.status(status);
  return started;
}

function held(target: { emit(name: string, event: object): unknown }, name: string): boolean {
  let isHeld = false;
  target.emit(name, { preventDefault: () => (isHeld = true) });
  return isHeld;
}

const quits = ({ electron }: StartedWindow): number =>
  electron.seen.asked.filter(([name]) => name === 'quit').length;

describe('a closed window', () => {
  it('quits the program if nothing is waiting', async () => {
    const started = await startWith(quiet);
    expect(held(started.window, 'close')).toBe(false);
    expect(held(started.electron.app, 'before-quit')).toBe(false);
    expect(started.electron.seen.questions).toEqual([]);
  });

  it('keeps the program running if the user chose that, and can be reopened', async () => {
    const started = await startWith(background);
    expect(held(started.window, 'close')).toBe(true);
    expect(started.window.calls).toEqual(['hide']);
    expect(quits(started)).toBe(0);
    started.electron.app.emit('second-instance');
    expect(started.window.calls).toContain('show');
  });

  it('lists what is waiting before the program quits', async () => {
    const started = await startWith(waiting);
    expect(held(started.window, 'close')).toBe(true);
    expect(quits(started)).toBe(1);
  });
});

describe('quitting the program', () => {
  it('lists what is waiting, first focuses Cancel, and is cancelled by the user', async () => {
    const started = await startWith(waiting);
    expect(held(started.electron.app, 'before-quit')).toBe(true);
    await expect.poll(() => started.electron.seen.questions.length).toBe(1);
    expect(started.electron.seen.questions[0]).toMatchObject({
      message: WAITING,
      buttons: [hostWords.sv.quit, hostWords.sv.stay],
      defaultId: 1,
      cancelId: 1,
    });
    await new Promise(setImmediate);
    expect(quits(started)).toBe(0);
    expect(held(started.electron.app, 'before-quit')).toBe(true);
  });

  it('continues when the user confirms, without a second question', async () => {
    const started = await startWith(waiting);
    started.electron.seen.answers.push(0);
    held(started.electron.app, 'before-quit');
    await expect.poll(() => quits(started)).toBe(1);
    expect(held(started.electron.app, 'before-quit')).toBe(false);
    expect(held(started.window, 'close')).toBe(false);
  });

  it('asks one question at a time', async () => {
    const started = await startWith(waiting);
    started.electron.seen.answers.push(new Promise(() => {}));
    held(started.electron.app, 'before-quit');
    held(started.electron.app, 'before-quit');
    await new Promise(setImmediate);
    expect(started.electron.seen.questions).toHaveLength(1);
  });

  it('asks in a separate dialog while no window is shown', async () => {
    const started = await startWith(waiting);
    started.window.isShown = false;
    held(started.electron.app, 'before-quit');
    await expect
      .poll(() => started.electron.seen.asked)
      .toContainEqual(['showMessageBox', WAITING, false]);
  });

  it('closes the window permanently, even if closing it keeps the program running', async () => {
    const started = await startWith(background);
    expect(held(started.electron.app, 'before-quit')).toBe(false);
    expect(held(started.window, 'close')).toBe(false);
  });

  it.each(['session-end', 'shutdown'])(
    'at the end of the session (%s) asks no question',
    async (event) => {
      const started = await startWith(waiting);
      if (event === 'shutdown') started.electron.powerMonitor.emit(event);
      else started.window.emit(event);
      expect(held(started.electron.app, 'before-quit')).toBe(false);
      expect(held(started.window, 'close')).toBe(false);
      expect(started.electron.seen.questions).toEqual([]);
    },
  );
});
