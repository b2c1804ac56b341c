import { AppError, isCode } from '../../../shared/errors.ts';
import {
  FOLDER_MARK,
  type FolderMark,
  newFolderMark,
  readFolderMark,
  withCompletedWork,
} from '../../../shared/rules/office/folder-mark.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Chance, Clock, Encoding, Files, Sha256, Stores } from '../ports.ts';
import type {
  FolderTurnResult,
  FolderWorkRequest,
  FolderTurn,
  FolderTurns,
  TurnElsewhere,
} from '../turn-ports.ts';
import { isOwnDemo } from './operation.ts';
import { serviceOf } from '../services/same-service.ts';
import { type HeldTask, leaseLostFailure, type OfficeTasks, TaskElsewhereError } from './tasks.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** A recurring task stays with the computer that did it last, unless it is late by this much. */
const HEAD_START_MS = 15 * MINUTE;
/** Minimum time (ms) between checks of the folder. */
const MIN_FOLDER_CHECK_MS = 1000;

interface FolderPorts {
  readonly stores: Pick<Stores, 'office' | 'connections'>;
  readonly tasks: OfficeTasks;
  readonly files: Pick<Files, 'join' | 'readText' | 'replaceText' | 'statFile'>;
  readonly encoding: Encoding;
  readonly sha256: Sha256;
  readonly chance: Chance;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

interface FolderPurposeHashes {
  readonly terms: string;
  readonly items: string;
}

/**
 * Lets one computer of an office at a time work in a folder that several reach, by any path. The
 * turn number is stored in the folder, so a computer that slept finds its turn outdated there, even
 * while the office is unreachable.
 */
export class OfficeFolders implements FolderTurns {
  readonly #ports: FolderPorts;

  constructor(ports: FolderPorts) {
    this.#ports = ports;
  }

  async enter(order: FolderWorkRequest): Promise<FolderTurnResult> {
    const membership = this.#ports.stores.office.membership();
    if (membership === null) return { isOurs: true, turn: null };
    for (;;) {
      const { folder, number } = await this.#mark(order.folder);
      const taken = await this.#take(order, { folder, number });
      if ('isOurs' in taken) return taken;
      const { task } = taken;
      try {
        const mark = await this.#mark(order.folder);
        // Two computers used a new folder at the same time: the later one determined its ID.
        if (mark.folder === folder) return await this.#begin(order, mark, task, membership.desk);
        await task?.end();
      } catch (error) {
        await task?.end();
        throw error;
      }
    }
  }

  async #begin(
    order: FolderWorkRequest,
    mark: FolderMark,
    task: HeldTask | null,
    desk: string,
  ): Promise<FolderTurnResult> {
    const now = task?.takenAt ?? this.#ports.clock.now();
    const what = await this.#identify(order);
    const other = turnDoneElsewhere(mark, what, order.dueFor, desk, now);
    if (other !== null) {
      await task?.end();
      return other;
    }
    // Without the office, the turn number is the last one plus one, which the next computer sees.
    const number = task?.lease.number ?? mark.number + 1;
    const own = { ...mark, number, turn: this.#ports.chance.uuid() };
    await this.#write(order.folder, own);
    return { isOurs: true, turn: this.#turn(order.folder, what, own, task, now) };
  }

  /**
   * Takes the task of the folder. If `task` is null, the office is unreachable, and only the file
   * in the folder separates the computers.
   */
  async #take(
    { kind, title, dueFor }: FolderWorkRequest,
    { folder, number }: Pick<FolderMark, 'folder' | 'number'>,
  ): Promise<{ readonly task: HeldTask | null } | TurnElsewhere> {
    try {
      return {
        task: await this.#ports.tasks.take({ kind, parts: [folder], title, above: number }),
      };
    } catch (error) {
      if (error instanceof TaskElsewhereError && dueFor !== null) {
        return { isOurs: false, why: 'later', seat: error.held.seat };
      }
      if (!isCode(error, 'offline')) throw error;
      this.#ports.toFailure(error, 'office.folder');
      return { task: null };
    }
  }

  /**
   * Returns the hashes that identify the work; null for work that never completes or that involves
   * this computer's own demo.
   */
  async #identify({ what }: FolderWorkRequest): Promise<FolderPurposeHashes | null> {
    const { stores } = this.#ports;
    if (what === null || what.connections.some((id) => isOwnDemo(stores, id))) return null;
    const services = what.connections.map((id) => serviceOf(stores, id)).toSorted();
    const items = (await what.items()).toSorted();
    return { terms: this.#hash([what.terms, services]), items: this.#hash(items) };
  }

  #hash(value: unknown): string {
    const { encoding, sha256 } = this.#ports;
    return sha256(encoding.utf8(JSON.stringify(value)));
  }

  #turn(
    folder: string,
    what: FolderPurposeHashes | null,
    own: FolderMark,
    task: HeldTask | null,
    startedAt: number,
  ): FolderTurn {
    const { clock, stores } = this.#ports;
    const begun = clock.now();
    let askedAt = Number.NEGATIVE_INFINITY;
    const current = async (): Promise<FolderMark> => {
      const mark = await this.#mark(folder);
      const isOurs = mark.folder === own.folder && mark.turn === own.turn;
      if (!isOurs || task?.signal.aborted === true) throw AppError.from(leaseLostFailure);
      askedAt = clock.now();
      return mark;
    };
    return {
      signal: task?.signal ?? new AbortController().signal,
      failure: () => (task?.signal.aborted === true ? leaseLostFailure : null),
      async require() {
        const age = clock.now() - askedAt;
        if (task?.signal.aborted === true || age < 0 || age >= MIN_FOLDER_CHECK_MS) await current();
      },
      done: async () => {
        const membership = stores.office.membership();
        if (membership === null || what === null) return;
        const at = startedAt + Math.max(0, clock.now() - begun);
        const { desk, name: seat } = membership;
        const done = { desk, seat, at, items: what.items };
        await this.#write(folder, withCompletedWork(await current(), what.terms, done));
      },
      end: async () => task?.end(),
    };
  }

  /** Reads the mark, or creates it if it is missing or was overwritten with something else. */
  async #mark(folder: string): Promise<FolderMark> {
    const { files, chance } = this.#ports;
    const file = files.join(folder, FOLDER_MARK);
    const found =
      (await files.statFile(file)) === null ? null : readFolderMark(await files.readText(file));
    if (found !== null) return found;
    const made = newFolderMark(chance.uuid());
    await this.#write(folder, made);
    return made;
  }

  #write(folder: string, mark: FolderMark): Promise<void> {
    const { files } = this.#ports;
    const text = `${JSON.stringify(mark, null, 2)}\n`;
    return files.replaceText(files.join(folder, FOLDER_MARK), text);
  }
}

/** Whether another computer has done the work since it fell due, or will do it again as before. */
function turnDoneElsewhere(
  mark: FolderMark,
  what: FolderPurposeHashes | null,
  dueFor: number | null,
  desk: string,
  now: number,
): TurnElsewhere | null {
  const last = what === null ? undefined : mark.done[what.terms];
  if (dueFor === null || last === undefined || last.desk === desk) return null;
  const { seat } = last;
  const isAll = last.items === what?.items;
  if (now - last.at <= dueFor && isAll) return { isOurs: false, why: 'done', seat };
  return dueFor < HEAD_START_MS ? { isOurs: false, why: 'later', seat } : null;
}
