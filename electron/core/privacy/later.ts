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

  /**
   * Requests the rewriting. Returns true if it is postponed until the window is closed; false if it
   * can be done now.
   */
  ask(): boolean {
    this.#isAsked = this.#hasWindow;
    return this.#hasWindow;
  }

  /**
   * Does postponed rewriting; called after all other work. If the program is killed while it runs,
   * the data file is unchanged.
   */
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
