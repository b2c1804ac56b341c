import type { Log } from '../ports.ts';
import type { DataSpace } from './ports.ts';

/**
 * Rewrites the data file only after the window is closed, since it would block a user who is
 * typing. A command can do it immediately.
 */
export class DeferredCompaction {
  readonly #ports: { readonly space: DataSpace; readonly log: Log };
  #hasWindow = false;
  #isAsked = false;

  constructor(ports: { readonly space: DataSpace; readonly log: Log }) {
    this.#ports = ports;
  }

  begin(): void {
    this.#hasWindow = true;
  }

  /** True if it is postponed to the end; false if it can be done now. */
  ask(): boolean {
    this.#isAsked = this.#hasWindow;
    return this.#hasWindow;
  }

  /** Called after all other work. If killed here, the file is unchanged. */
  async end(): Promise<void> {
    if (!this.#isAsked) return;
    this.#isAsked = false;
    try {
      await this.#ports.space.compactWhole();
    } catch (error) {
      // Another process is writing, or the disk is full: the user can request it again.
      this.#ports.log.error(error, 'compact-data');
    }
  }
}
