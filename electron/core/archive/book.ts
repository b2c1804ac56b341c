import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { AgreementKey } from '../../../shared/contract/ids.ts';
import type { ArchiveStore, RecordedPdf } from './ports.ts';

/** Noted in one commit; what a kill leaves out is found by the work on it. */
const AT_ONCE = 32;

/** A PDF that has its name, and is not noted yet. */
export interface SavedPdf {
  readonly agreement: Agreement;
  readonly pdf: RecordedPdf;
}

/** Notes what a run saved, several at a time: a commit costs more than a small file. */
export class ArchiveBook {
  readonly #archive: ArchiveStore;
  readonly #folder: string;
  readonly #atOnce: number;
  #waiting: SavedPdf[] = [];

  /** `isPrompt` when what follows a file asks for its note. */
  constructor(archive: ArchiveStore, folder: string, isPrompt: boolean) {
    this.#archive = archive;
    this.#folder = folder;
    this.#atOnce = isPrompt ? 1 : AT_ONCE;
  }

  /** Gives what was noted now, each with whether its agreement is still known. */
  add(saved: SavedPdf): readonly (SavedPdf & { readonly isKnown: boolean })[] {
    this.#waiting.push(saved);
    return this.#waiting.length < this.#atOnce ? [] : this.note();
  }

  /** Notes all that wait. */
  note(): readonly (SavedPdf & { readonly isKnown: boolean })[] {
    const now = this.#waiting;
    this.#waiting = [];
    if (now.length === 0) return [];
    const files = now.map(({ agreement, pdf }) => ({ key: keyOf(agreement), ...pdf }));
    const lost = this.#archive.recordAll(files, this.#folder);
    const isLost = ({ connectionId, id }: AgreementKey): boolean =>
      lost.some((key) => key.connectionId === connectionId && key.id === id);
    return now.map((saved) => ({ ...saved, isKnown: !isLost(saved.agreement) }));
  }
}

const keyOf = ({ connectionId, id }: Agreement): AgreementKey => ({ connectionId, id });
