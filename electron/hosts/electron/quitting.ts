import { app, type BrowserWindow, dialog } from 'electron';
import type { HostStatus } from '../../../shared/contract/host.ts';
import type { HostWords } from './words.ts';

interface QuitDeciderPorts {
  readonly window: BrowserWindow;
  readonly words: () => HostWords;
}

/** Decides whether a closed window ends the program, and which warning the user sees first. */
export class QuitDecider {
  readonly #ports: QuitDeciderPorts;
  #status: Pick<HostStatus, 'staysInTray' | 'beforeQuitting'> = {
    staysInTray: false,
    beforeQuitting: null,
  };
  #isAgreed = false;
  #isAsking = false;

  constructor(ports: QuitDeciderPorts) {
    this.#ports = ports;
    ports.window.on('close', (event) => this.#close(event));
    // Windows ends the session without asking the program to quit.
    ports.window.on('session-end', () => this.agree());
    app.on('before-quit', (event) => this.#quit(event));
  }

  update(status: HostStatus): void {
    this.#status = status;
  }

  /** Lets the program end the next time without a question. */
  agree(): void {
    this.#isAgreed = true;
  }

  #close(event: { preventDefault(): void }): void {
    const { staysInTray, beforeQuitting } = this.#status;
    if (this.#isAgreed || (!staysInTray && beforeQuitting === null)) return;
    event.preventDefault();
    if (staysInTray) this.#ports.window.hide();
    else app.quit();
  }

  #quit(event: { preventDefault(): void }): void {
    if (this.#isAgreed) return;
    const { beforeQuitting } = this.#status;
    if (beforeQuitting === null) {
      this.agree();
      return;
    }
    event.preventDefault();
    if (!this.#isAsking) void this.#ask(beforeQuitting);
  }

  async #ask(message: string): Promise<void> {
    const { window, words } = this.#ports;
    const { quit, stay } = words();
    const question = {
      type: 'question' as const,
      message,
      buttons: [quit, stay],
      defaultId: 1,
      cancelId: 1,
    };
    this.#isAsking = true;
    try {
      const { response } = window.isVisible()
        ? await dialog.showMessageBox(window, question)
        : await dialog.showMessageBox(question);
      if (response !== 0) return;
    } finally {
      this.#isAsking = false;
    }
    this.agree();
    app.quit();
  }
}
