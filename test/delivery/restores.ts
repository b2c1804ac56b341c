import { cp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type DataFolder, type Ledger, readLedger } from './invariants.ts';

/**
 * Range for the number of kills from a copy of the data folder to its restore, and to the next
 * copy.
 */
const NEXT_STEP = { least: 4, most: 14 } as const;

/** Data missing from the data file because of restores. */
export interface Restores {
  readonly count: number;
  /** Number of rows that waited in the restored copy although they were sent after it. */
  readonly atStake: number;
  /** Attempts and decisions to send again that no journal contains any more. */
  readonly lost: Ledger;
}

/**
 * A person who copies the whole data folder and restores the copy after a crash, as a new folder or
 * over the existing files. Other files in `folder` do not change.
 */
export class Keeper {
  readonly #of: DataFolder;
  readonly #random: () => number;
  #left: number;
  #taken: Ledger | null = null;
  #count = 0;
  #atStake = 0;
  #lost: Ledger = new Map();

  constructor(of: DataFolder, random: () => number) {
    this.#of = of;
    this.#random = random;
    this.#left = this.#wait();
  }

  get done(): Restores {
    return { count: this.#count, atStake: this.#atStake, lost: this.#lost };
  }

  /** Copies or restores the folder after a kill, while no process has the data open. */
  async killed(): Promise<void> {
    this.#left -= 1;
    if (this.#left > 0) return;
    const ledger = await readLedger(this.#of);
    // A copy from before its rows are armed cannot cause a second send.
    if (ledger.size === 0) return;
    if (this.#taken === null) await this.#take(ledger);
    else if (goneOutSince(this.#taken, ledger) > 0) await this.#putBack(this.#taken, ledger);
    // No row was sent after the copy, so restoring it would test nothing.
    else return;
    this.#left = this.#wait();
  }

  get #data(): string {
    return path.join(this.#of.folder, 'data');
  }

  get #copy(): string {
    return path.join(this.#of.folder, 'copy');
  }

  async #take(ledger: Ledger): Promise<void> {
    await rm(this.#copy, { recursive: true, force: true });
    await cp(this.#data, this.#copy, { recursive: true, preserveTimestamps: true });
    this.#taken = ledger;
  }

  async #putBack(then: Ledger, now: Ledger): Promise<void> {
    const isWhole = this.#count % 2 === 0;
    if (isWhole) await rm(this.#data, { recursive: true });
    else await removeOthers(this.#data, this.#copy);
    await cp(this.#copy, this.#data, { recursive: true, preserveTimestamps: true });
    this.#taken = null;
    this.#count += 1;
    this.#atStake += goneOutSince(then, now);
    const lost = new Map(this.#lost);
    for (const [ref, { attempts, again }] of now) {
      const kept = then.get(ref) ?? { attempts: 0, again: 0 };
      const before = lost.get(ref) ?? { attempts: 0, again: 0 };
      lost.set(ref, {
        attempts: before.attempts + attempts - kept.attempts,
        again: before.again + again - kept.again,
      });
    }
    this.#lost = lost;
  }

  #wait(): number {
    const { least, most } = NEXT_STEP;
    return least + Math.floor(this.#random() * (most - least + 1));
  }
}

/** Number of rows sent between two states of the data. */
function goneOutSince(then: Ledger, now: Ledger): number {
  return [...now].filter(([ref, { attempts }]) => attempts > (then.get(ref)?.attempts ?? 0)).length;
}

/**
 * Removes files that the copy lacks, since a log of the database would not fit the copied database.
 */
async function removeOthers(folder: string, copy: string): Promise<void> {
  const kept = new Set(await readdir(copy));
  const gone = (await readdir(folder)).filter((name) => !kept.has(name));
  await Promise.all(gone.map((name) => rm(path.join(folder, name), { recursive: true })));
}
