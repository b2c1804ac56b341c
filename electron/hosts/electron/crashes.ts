import { app, type BrowserWindow, dialog } from 'electron';
import { MINUTE } from '../../../shared/rules/time/units.ts';
import type { HostWords } from './words.ts';

/** Number of crashes of a page within `CRASH_WINDOW_MS` after which it is not loaded again. */
const MAX_CRASHES = 3;
const CRASH_WINDOW_MS = 10 * MINUTE;
/**
 * Reasons for the end of a process that did not crash: it was finished, or Chromium needed memory.
 */
const NORMAL_EXIT_REASONS: readonly string[] = ['clean-exit', 'memory-eviction'];

interface CrashPorts {
  readonly window: BrowserWindow;
  readonly words: () => HostWords;
  /** Logs a sentence, which must not contain anything that the user typed. */
  readonly note: (what: string) => void;
  /** Tells the page that another process ended. */
  readonly tell: () => void;
}

/**
 * Restarts processes of the window that end unexpectedly, and reports the end. The desk has stored
 * the user's input and keeps running, so the page returns in the same state.
 */
export function recoverFromCrashes(ports: CrashPorts): void {
  recoverPage(ports);
  recoverProcesses(ports);
}

function recoverPage({ window, words, note }: CrashPorts): void {
  let crashes: readonly number[] = [];
  let isEnded = false;
  let question: AbortController | null = null;
  const ask = async (): Promise<void> => {
    question?.abort();
    const mine = (question = new AbortController());
    const { hung, hungDetail, wait, reload } = words();
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: hung,
      detail: hungDetail,
      buttons: [wait, reload],
      defaultId: 0,
      cancelId: 0,
      signal: mine.signal,
    });
    if (response !== 1 || mine.signal.aborted || window.isDestroyed()) return;
    isEnded = true;
    window.webContents.forcefullyCrashRenderer();
  };

  window.webContents.on('render-process-gone', (_event, { reason }) => {
    question?.abort();
    // A page that ends on purpose did not crash.
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    note(`The page ended: ${reason}`);
    const now = performance.now();
    crashes = [...crashes, ...(isEnded ? [] : [now])].filter((at) => at > now - CRASH_WINDOW_MS);
    isEnded = false;
    if (crashes.length <= MAX_CRASHES) {
      window.webContents.reload();
      return;
    }
    dialog.showErrorBox('Signing Desk', words().crashed);
    app.quit();
  });
  window.on('unresponsive', () => {
    note('The page does not respond');
    void ask();
  });
  window.on('responsive', () => question?.abort());
}

/** Reports the end of processes that draw, play or fetch for the page; Chromium restarts them. */
function recoverProcesses({ window, note, tell }: CrashPorts): void {
  let isTold = false;
  app.on('child-process-gone', (_event, { type, reason, serviceName }) => {
    if (NORMAL_EXIT_REASONS.includes(reason)) return;
    note(`A process ended: ${[type, serviceName, reason].filter(Boolean).join(', ')}`);
    if (window.isDestroyed()) return;
    // The drawn content is lost with the process that drew it.
    if (type === 'GPU') window.webContents.invalidate();
    if (isTold) return;
    isTold = true;
    tell();
  });
}
