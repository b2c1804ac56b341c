import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hostWords } from '../../../electron/hosts/electron/words.ts';
import { languages } from '../../../shared/model/languages.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';
import { connect } from '../../../shared/wire.ts';
import {
  channelFrom,
  type StartedWindow,
  startWindow,
} from '../../support/desks/started-window.ts';

const namesOf = ({ electron }: StartedWindow): unknown[] =>
  electron.seen.asked.map(([name]) => name);
const crash = ({ window }: StartedWindow, reason = 'crashed') =>
  window.webContents.emit('render-process-gone', {}, { reason, exitCode: 1 });

describe('a page that crashed', () => {
  it('is reloaded, and the program quits after repeated crashes (PK-07)', async () => {
    const started = await startWindow();
    const { webContents } = started.window;
    crash(started, 'clean-exit');
    expect(webContents.reloads).toBe(0);
    for (const reason of ['crashed', 'oom', 'killed']) crash(started, reason);
    expect(webContents.reloads).toBe(3);
    expect(namesOf(started)).not.toContain('quit');
    crash(started);
    expect(webContents.reloads).toBe(3);
    expect(namesOf(started)).toContain('quit');
  });

  it('is reloaded without a limit if its crashes are rare', async () => {
    const started = await startWindow();
    const clock = vi.spyOn(performance, 'now');
    onTestFinished(() => clock.mockRestore());
    for (let count = 1; count <= 6; count += 1) {
      clock.mockReturnValue(count * 5 * MINUTE);
      crash(started);
      expect(started.window.webContents.reloads).toBe(count);
    }
    expect(namesOf(started)).not.toContain('quit');
  });

  it.each(languages)('is reported in the language of the window: %s', async (language) => {
    const started = await startWindow();
    started.state.setup?.features.menu({ language, groups: [] });
    for (let count = 0; count < 4; count += 1) crash(started);
    const [, , told] = started.electron.seen.asked.find(([name]) => name === 'showErrorBox') ?? [];
    expect(told).toBe(hostWords[language].crashed);
    const others = languages.filter((one) => one !== language);
    expect(others.map((one) => hostWords[one].crashed)).not.toContain(told);
  });

  it('is logged without its contents', async () => {
    const started = await startWindow();
    crash(started, 'oom');
    expect(started.state.did).toContain('noted The page ended: oom');
  });

  it('is ignored if its window is gone', async () => {
    const started = await startWindow();
    started.window.isGone = true;
    crash(started);
    expect(started.window.webContents.reloads).toBe(0);
  });
});

describe('a page that does not respond', () => {
  it('leads to a question, and continues if the user waits', async () => {
    const started = await startWindow();
    started.electron.seen.answers.push(0);
    started.window.emit('unresponsive');
    const words = hostWords.sv;
    await expect.poll(() => started.electron.seen.questions.length).toBe(1);
    expect(started.electron.seen.questions[0]).toMatchObject({
      message: words.hung,
      detail: words.hungDetail,
      buttons: [words.wait, words.reload],
    });
    expect(started.window.webContents.reloads).toBe(0);
  });

  it('is reloaded if the user chooses so, each time', async () => {
    const started = await startWindow();
    for (let count = 1; count <= 5; count += 1) {
      started.electron.seen.answers.push(1);
      started.window.emit('unresponsive');
      await expect.poll(() => started.window.webContents.reloads).toBe(count);
    }
    expect(namesOf(started)).not.toContain('quit');
  });

  it.each(['responds', 'has crashed'])('has its question closed once the page %s', async (what) => {
    const started = await startWindow();
    const answer = Promise.withResolvers<number>();
    started.electron.seen.answers.push(answer.promise);
    started.window.emit('unresponsive');
    await expect.poll(() => started.electron.seen.questions.length).toBe(1);
    if (what === 'responds') started.window.emit('responsive');
    else crash(started);
    expect(started.electron.seen.questions[0]?.signal?.aborted).toBe(true);
    const before = started.window.webContents.reloads;
    // When Electron closes the question, it returns an arbitrary answer.
    answer.resolve(1);
    await new Promise(setImmediate);
    expect(started.window.webContents.reloads).toBe(before);
  });

  it('is ignored if it responds before the question is shown', async () => {
    const started = await startWindow();
    started.window.emit('responsive');
    expect(started.electron.seen.questions).toEqual([]);
  });
});

describe('a process that serves the page', () => {
  async function endings(...details: object[]) {
    const started = await startWindow();
    const told: unknown[] = [];
    connect(channelFrom(started)).on('host.processEnded', () => told.push('told'));
    for (const detail of details) started.electron.app.emit('child-process-gone', {}, detail);
    await new Promise(setImmediate);
    return { ...started, told };
  }

  it('is reported once if it ended unexpectedly, and logged each time', async () => {
    const { told, state } = await endings(
      { type: 'Utility', serviceName: 'network.mojom.NetworkService', reason: 'crashed' },
      { type: 'GPU', reason: 'killed' },
    );
    expect(told).toEqual(['told']);
    expect(state.did.filter((one) => one.startsWith('noted'))).toEqual([
      'noted A process ended: Utility, network.mojom.NetworkService, crashed',
      'noted A process ended: GPU, killed',
    ]);
  });

  it('is followed by a redrawn page if it drew the page', async () => {
    const { window } = await endings({ type: 'GPU', reason: 'crashed' });
    expect(window.webContents.repaints).toBe(1);
  });

  it.each(['clean-exit', 'memory-eviction'])(
    'is not reported if it ended normally (%s)',
    async (reason) => {
      const { told, state } = await endings({ type: 'Utility', reason });
      expect(told).toEqual([]);
      expect(state.did).toEqual(['open']);
    },
  );

  it('ends without a message if the window is gone', async () => {
    const started = await startWindow();
    started.window.isGone = true;
    started.electron.app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed' });
    expect(started.window.webContents.repaints).toBe(0);
  });
});
