import type { Log } from '../ports.ts';
import type { DataSpace } from './ports.ts';

/**
 * A whole file is written anew when the window has been closed: until then somebody might type, and
 * would wait. A command has nobody to wait.
 */
export class CompactionLater {
  readonly #ports: { readonly space: DataSpace; readonly log: Log };
  #hasWindow = false;
  #isAsked = false;

  constructor(ports: { readonly space: DataSpace; readonly log: Log }) {
    this.#ports = ports;
  }

  begin(): void {
    this.#hasWindow = true;
  }

  /** True when it will be done at the end; false when it can be done now. */
  ask(): boolean {
    this.#isAsked = this.#hasWindow;
    return this.#hasWindow;
  }

  /** Everything else has ended. Killed here, the file is as it was. */
  async end(): Promise<void> {
    if (!this.#isAsked) return;
    this.#isAsked = false;
    try {
      await this.#ports.space.compactWhole();
    } catch (error) {
      // Another process writes, or the disk is full: it can be asked for again.
      this.#ports.log.error(error, 'compact-data');
    }
  }
}
