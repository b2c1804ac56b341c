import type { Draft } from '../../../shared/contract/drafts.ts';
import { fingerprintsOf } from '../outbox/freeze.ts';
import type { Hashing } from '../outbox/marks.ts';
import type { DraftStore, PdfForms } from '../ports.ts';
import { findPoorlyFittingValues, originalFiles, outgoingFiles, readForms } from './files.ts';

interface PreparePorts extends Hashing {
  readonly stores: { readonly drafts: DraftStore };
  readonly pdf: PdfForms;
}

/**
 * Lazily computed data of one draft revision and its PDFs. The check in the editor, the check for
 * earlier sends, and the send itself share it.
 */
export class PreparedDraft {
  readonly draft: Draft;
  /** Forms of the draft's PDFs, which the draft's values must fit. */
  readonly forms: () => ReturnType<typeof readForms>;
  readonly originals: () => ReturnType<typeof originalFiles>;
  /**
   * Files of the draft in the form that is sent, with values merged in. Rejects with 'invalid' if
   * merging fails.
   */
  readonly files: () => ReturnType<typeof outgoingFiles>;
  /** How each text of the draft fits the box of its field. */
  readonly fits: () => ReturnType<typeof findPoorlyFittingValues>;
  /** Fingerprints of the draft; see `fingerprintsOf`. */
  readonly fingerprints: () => ReturnType<typeof fingerprintsOf>;

  constructor(draft: Draft, ports: PreparePorts) {
    const { drafts } = ports.stores;
    this.draft = draft;
    this.forms = runOnceUntilSuccess(() => readForms(draft, drafts, ports.pdf));
    this.originals = computeOnce(() => originalFiles(draft, drafts));
    this.files = runOnceUntilSuccess(() => outgoingFiles(draft, drafts, ports.pdf));
    this.fits = runOnceUntilSuccess(() => findPoorlyFittingValues(draft, drafts, ports.pdf));
    this.fingerprints = computeOnce(() =>
      fingerprintsOf({ content: draft.content, files: this.originals() }, ports),
    );
  }
}

/**
 * Prepares drafts. Caches the last prepared draft only: a user edits one at a time, and its PDFs
 * may be large.
 */
export class DraftPreparation {
  readonly #ports: PreparePorts;
  #key = '';
  #last: PreparedDraft | null = null;

  constructor(ports: PreparePorts) {
    this.#ports = ports;
  }

  of(draft: Draft): PreparedDraft {
    // Files and the lock change without a new revision, and a draft that the office shares again
    // starts at the first one; the data of a file never changes.
    const key = JSON.stringify(draft);
    if (this.#last === null || key !== this.#key) {
      this.#last = new PreparedDraft(draft, this.#ports);
      this.#key = key;
    }
    return this.#last;
  }

  /** Frees the memory of a sent draft. */
  forget(): void {
    this.#last = null;
  }
}

function computeOnce<Value>(make: () => Value): () => Value {
  let value: { readonly made: Value } | null = null;
  return () => (value ??= { made: make() }).made;
}

/** Like `computeOnce`, but retries work that failed, for example because of a timeout. */
function runOnceUntilSuccess<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let result: Promise<Value> | null = null;
  return () => {
    const started = (result ??= work());
    started.catch(() => {
      if (result === started) result = null;
    });
    return started;
  };
}
