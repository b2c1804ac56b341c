import { app, type BrowserWindow, dialog } from 'electron';
import { MINUTE } from '../../../shared/rules/time/units.ts';
import type { HostWords } from './words.ts';

/** A page that crashes again and again is not begun anew for ever: so often within so many milliseconds. */
const MAX_CRASHES = 3;
const SPAN = 10 * MINUTE;
/** Ends of a process that are no accident: it was done, or Chromium makes room. */
const IN_ORDER: readonly string[] = ['clean-exit', 'memory-eviction'];

interface CrashPorts {
  readonly window: BrowserWindow;
  readonly words: () => HostWords;
  /** Writes it down; nothing that a person typed is in it. */
  readonly note: (what: string) => void;
  /** Says in the page that something beside it ended. */
  readonly tell: () => void;
}

/**
 * Begins anew what ends unexpectedly in the window, and says so. What was typed is stored by the
 * desk, which goes on: the page comes back where it was.
 */
export function recoverFromCrashes(ports: CrashPorts): void {
  recoverPage(ports);
  recoverProcesses(ports);
}

function recoverPage({ window, words, note }: CrashPorts): void {
  let crashes: readonly number[] = [];
  /** Ended because a person said so. */
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
    crashes = [...crashes, ...(isEnded ? [] : [now])].filter((at) => at > now - SPAN);
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

/** What draws, plays or fetches for the page is a process of its own; Chromium starts it again. */
function recoverProcesses({ window, note, tell }: CrashPorts): void {
  let isTold = false;
  app.on('child-process-gone', (_event, { type, reason, serviceName }) => {
    if (IN_ORDER.includes(reason)) return;
    note(`A process ended: ${[type, serviceName, reason].filter(Boolean).join(', ')}`);
    if (window.isDestroyed()) return;
    // What was drawn is gone with the process that drew it.
    if (type === 'GPU') window.webContents.invalidate();
    if (isTold) return;
    isTold = true;
    tell();
  });
}
