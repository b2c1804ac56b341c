import type {
  PlannedIntake,
  IntakePreview,
  IntakeResult,
  IntakeTerms,
} from '../../../shared/contract/intake.ts';
import { AppError } from '../../../shared/errors.ts';
import type { DraftId } from '../../../shared/model/ids.ts';
import type { Language } from '../../../shared/model/languages.ts';
import { foldName } from '../../../shared/rules/files/file-name.ts';
import { intakeKind } from '../../../shared/rules/intake/names.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Progress } from '../job-queue.ts';
import type { FolderTurn } from '../turn-ports.ts';
import type { Scheduler } from '../ports.ts';
import { Sidecar, type SidecarSheet, whyNotImportable } from './sidecar.ts';
import {
  hashOfImportData,
  validatePdf,
  type JudgePorts,
  validateSheet,
  type ValidationResult,
} from './judge.ts';
import { forgetFileState, hashOfName, type SeenFile } from './look.ts';
import type { FileAsRead, MoveResult } from './ports.ts';

export interface RoundPorts extends JudgePorts {
  readonly scheduler: Scheduler;
  readonly toFailure: ToFailure;
  /** Current language of the window. */
  readonly language: () => Language;
}

export type IntakeTally = { -readonly [Key in keyof IntakeResult]: IntakeResult[Key] };

const MAX_REFUSALS = 20;
/** Number of new drafts after which lists of drafts are read again; also read at the end. */
const DRAFTS_PER_ANNOUNCEMENT = 250;

/** One pass through a folder. Decides about each file and imports it, except in a preview. */
export class IntakeRound {
  readonly #ports: RoundPorts;
  readonly #terms: IntakeTerms;
  readonly #tally: IntakeTally;
  readonly #turn: FolderTurn | null;
  readonly left: SeenFile[] = [];
  /** First internal error, which was not caused by the content of a file; null if none. */
  fault: unknown = null;
  readonly #unannounced: DraftId[] = [];

  /** `turn`: this computer's turn in the folder, if several computers of an office import it. */
  constructor(
    ports: RoundPorts,
    terms: IntakeTerms,
    tally: IntakeTally,
    turn: FolderTurn | null = null,
  ) {
    this.#ports = ports;
    this.#terms = terms;
    this.#tally = tally;
    this.#turn = turn;
  }

  /** Imports the files. Throws 'storage' if no further import is possible now. */
  async take(
    files: readonly SeenFile[],
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<void> {
    const { scheduler } = this.#ports;
    try {
      const beside = await this.#besideOf(files);
      const pdfs = files.filter((file) => !isSidecar(file));
      report({ done: 0, total: pdfs.length });
      for (const [at, file] of pdfs.entries()) {
        if (signal.aborted) return;
        await this.#takeOne(file, () => this.#judge(file, beside));
        report({ done: at + 1, failed: this.#tally.refused });
        await scheduler.yield();
      }
      await this.#takeSheets(beside);
      await this.#takeJsons(files, beside);
    } finally {
      this.#announce();
    }
  }

  /** Decides about the first `most` files; stores and moves nothing. */
  async plan(files: readonly SeenFile[], most: number): Promise<IntakePreview> {
    const beside = await this.#besideOf(files);
    const own = files.filter((one) => !isSidecar(one));
    const planned: PlannedIntake[] = [];
    const names = new Map<string, string>();
    for (const file of own.slice(0, most)) {
      planned.push(plannedOf(file, await this.#judge(file, beside), names));
      await this.#ports.scheduler.yield();
    }
    const others: PlannedIntake[] = [];
    for (const sheet of beside.sheets) {
      const verdict = this.#judgeSheet(sheet);
      if (verdict !== null) others.push(plannedOf(sheet.file, verdict, names));
    }
    const present = new Set(files.map(({ name }) => foldName(name)));
    for (const { pdf, file } of beside.jsons) {
      if (!present.has(pdf)) others.push({ file: file.name, what: 'waits', why: 'no-pdf' });
    }
    return {
      files: [...planned, ...others].slice(0, most),
      total: own.length + others.length,
    };
  }

  #besideOf(files: readonly SeenFile[]): Promise<Sidecar> {
    return Sidecar.read(this.#ports, this.#terms.folder, files);
  }

  async #judge(file: SeenFile, beside: Sidecar): Promise<ValidationResult> {
    const unread = { entry: file, sha256: null };
    const refusal = whyNotImportable(file);
    if (refusal !== null) return { what: 'refused', failure: refusal, from: unread, beside: null };
    if (!file.isSteady) return { what: 'waits', why: 'being-written' };
    if (intakeKind(file.name) === 'pdf') {
      return validatePdf(this.#ports, this.#terms, file, await beside.of(file));
    }
    const message =
      'Only PDF files are imported, with a .json file or a spreadsheet that describes them';
    const failure = new AppError('invalid', message, { reason: 'intake-kind' });
    return { what: 'refused', failure, from: unread, beside: null };
  }

  /** Validates a spreadsheet. Returns null if it is about PDFs and all its rows were used. */
  #judgeSheet(sheet: SidecarSheet): ValidationResult | null {
    switch (sheet.kind) {
      case 'rows':
        return validateSheet(this.#ports, this.#terms, sheet);
      case 'refused': {
        const { file: entry, sha256, failure } = sheet;
        return { what: 'refused', failure, from: { entry, sha256 }, beside: null };
      }
      case 'waits':
        return { what: 'waits', why: sheet.why };
      case 'words': {
        const { stores } = this.#ports;
        const isDone = sheet.words.every(
          ({ file, data }) =>
            data !== null &&
            stores.intake.isTaken(
              this.#terms.folder,
              hashOfName(this.#ports, file),
              hashOfImportData(this.#ports, data, sheet.file),
            ),
        );
        return isDone ? null : { what: 'waits', why: 'no-pdf' };
      }
    }
  }

  /** Imports spreadsheets. Those about PDFs are only moved, once all their rows were used. */
  async #takeSheets(beside: Sidecar): Promise<void> {
    for (const sheet of beside.sheets) {
      const { file } = sheet;
      await this.#takeOne(file, async () => {
        const verdict = this.#judgeSheet(sheet);
        if (verdict === null && sheet.kind === 'words') {
          await this.#move({ entry: file, sha256: sheet.sha256 }, 'done');
        }
        return verdict;
      });
    }
  }

  /** Moves `.json` files whose PDF was imported, if they were not moved together with the PDF. */
  async #takeJsons(files: readonly SeenFile[], beside: Sidecar): Promise<void> {
    const names = new Set(files.map(({ name }) => foldName(name)));
    for (const { pdf, file } of beside.jsons) {
      if (names.has(pdf)) continue;
      await this.#takeOne(file, async () => {
        const said = await beside.of({ ...file, name: pdf });
        const { intake } = this.#ports.stores;
        const isTaken =
          said.kind === 'data' &&
          intake.isTaken(
            this.#terms.folder,
            hashOfName(this.#ports, pdf),
            hashOfImportData(this.#ports, said.data, file),
          );
        if (!isTaken || said.from === null) return { what: 'waits', why: 'no-pdf' };
        await this.#move(said.from, 'done');
        return null;
      });
    }
  }

  /** Imports one file. An internal error skips only this file, which stays in the folder. */
  async #takeOne(file: SeenFile, judge: () => Promise<ValidationResult | null>): Promise<void> {
    try {
      const verdict = await judge();
      await this.#turn?.require();
      if (verdict !== null) await this.#carryOut(file, verdict);
    } catch (error) {
      if (error instanceof AppError && isRoundFailure(error)) throw error;
      this.fault ??= error;
      this.#leave(file);
    }
  }

  async #carryOut(file: SeenFile, verdict: ValidationResult): Promise<void> {
    const tally = this.#tally;
    const { stores } = this.#ports;
    switch (verdict.what) {
      case 'waits':
        return this.#leave(file);
      case 'refused':
        return this.#refuse(verdict);
      case 'again':
        // The file is not a repeated file if the program was killed after storing the draft, before
        // moving the file.
        if (verdict.taken.isMoved) tally.again += 1;
        stores.intake.again(verdict.taken);
        break;
      case 'draft':
      case 'sheet': {
        const isNew = stores.intake.once(verdict.taken, () => {
          const draft = verdict.make();
          if (draft !== null) this.#unannounced.push(draft);
        });
        if (this.#unannounced.length >= DRAFTS_PER_ANNOUNCEMENT) this.#announce();
        if (!isNew) {
          tally.again += 1;
          stores.intake.again(verdict.taken);
        } else if (verdict.what === 'draft') tally.drafts += 1;
        else tally.sheets += 1;
      }
    }
    const moved = await this.#move(verdict.from, 'done');
    // If another file now has the name of the PDF, that file may need the same sidecar data.
    if (verdict.beside !== null && moved !== 'replaced') await this.#move(verdict.beside, 'done');
    // Recorded even if another file has the name now, because the imported file is gone.
    stores.intake.moved(this.#terms.folder, verdict.taken.hash);
  }

  async #refuse({
    failure: error,
    from,
    beside,
  }: Extract<ValidationResult, { what: 'refused' }>): Promise<void> {
    const { failure } = error;
    const language = this.#ports.language();
    // Loads the texts of eleven languages only when a file is refused, not at each start.
    const { refusalNote } = await import('../../../shared/rules/intake/refusal.ts');
    const noteOf = (one: FileAsRead): string => refusalNote(one.entry.name, failure, language);
    const moved = await this.#move(from, 'refused', noteOf(from));
    if (moved === 'replaced') return;
    if (beside !== null) await this.#move(beside, 'refused', noteOf(beside));
    this.#tally.refused += 1;
    if (this.#tally.refusals.length < MAX_REFUSALS) {
      this.#tally.refusals.push({ file: from.entry.name, failure });
    }
  }

  async #move(
    file: FileAsRead<SeenFile>,
    to: 'done' | 'refused',
    note: string | null = null,
  ): Promise<MoveResult> {
    const moved = await this.#ports.watched.move(this.#terms.folder, file, to, note);
    if (moved === 'moved') forgetFileState(this.#ports, this.#terms, file.entry);
    if (moved === 'replaced') this.#tally.replaced += 1;
    return moved;
  }

  #leave(file: SeenFile): void {
    this.left.push(file);
  }

  /**
   * Emits one event for several new drafts. Views of drafts reload on each event, so one event per
   * draft would be too many.
   */
  #announce(): void {
    const id = this.#unannounced.at(-1);
    this.#unannounced.length = 0;
    if (id !== undefined) this.#ports.emit('drafts.changed', { id });
  }
}

/** Whether an error also prevents importing all other files. */
const isRoundFailure = ({ failure: { code, reason } }: AppError): boolean =>
  code === 'storage' || reason === 'lease-lost';

/** Whether the file describes PDFs (`.json`), or is a spreadsheet. */
function isSidecar(file: SeenFile): boolean {
  if (whyNotImportable(file) !== null) return false;
  const is = intakeKind(file.name);
  return is === 'json' || is === 'sheet';
}

/**
 * Returns the planned result of a file for a preview. A run records each imported file, but a
 * preview stores nothing. So this function adds each planned file to `names` (file names by hash)
 * to detect duplicates.
 */
function plannedOf(
  { name: file }: SeenFile,
  verdict: ValidationResult,
  names: Map<string, string>,
): PlannedIntake {
  switch (verdict.what) {
    case 'waits':
      return { file, what: 'waits', why: verdict.why };
    case 'refused':
      return { file, what: 'refused', failure: verdict.failure.failure };
    case 'again':
      return { file, what: 'again' };
    case 'draft':
    case 'sheet': {
      const { title, taken } = verdict;
      const first = names.get(taken.hash);
      if (first !== undefined) return { file, what: 'same', first };
      names.set(taken.hash, file);
      return { file, what: verdict.what, title };
    }
  }
}
