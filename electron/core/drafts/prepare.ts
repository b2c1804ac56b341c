import type { Draft } from '../../../shared/contract/drafts.ts';
import { fingerprintsOf } from '../outbox/freeze.ts';
import type { Hashing } from '../outbox/marks.ts';
import type { DraftStore, PdfForms } from '../ports.ts';
import { fitsOf, originalFiles, outgoingFiles, readForms } from './files.ts';

interface PreparePorts extends Hashing {
  readonly stores: { readonly drafts: DraftStore };
  readonly pdf: PdfForms;
}

/**
 * What one revision of a draft and its PDFs give, each worked out when it is first asked for. The check
 * in the editor, the question whether the same was sent before, and the send itself share it.
 */
export class PreparedDraft {
  readonly draft: Draft;
  /** Forms of its PDFs, which its values must fit. */
  readonly forms: () => ReturnType<typeof readForms>;
  /** Its files as they were added. */
  readonly originals: () => ReturnType<typeof originalFiles>;
  /** Its files as they are sent, with values merged into them. Rejects with 'invalid' where that fails. */
  readonly files: () => ReturnType<typeof outgoingFiles>;
  /** How each of its texts fits into the box of its field. */
  readonly fits: () => ReturnType<typeof fitsOf>;
  /** See `fingerprintsOf`. */
  readonly fingerprints: () => ReturnType<typeof fingerprintsOf>;

  constructor(draft: Draft, ports: PreparePorts) {
    const { drafts } = ports.stores;
    this.draft = draft;
    this.forms = once(() => readForms(draft, drafts, ports.pdf));
    this.originals = kept(() => originalFiles(draft, drafts));
    this.files = once(() => outgoingFiles(draft, drafts, ports.pdf));
    this.fits = once(() => fitsOf(draft, drafts, ports.pdf));
    this.fingerprints = kept(() =>
      fingerprintsOf({ content: draft.content, files: this.originals() }, ports),
    );
  }
}

/** Keeps the draft that was prepared last: a person works on one, and its PDFs may be large. */
export class DraftPreparation {
  readonly #ports: PreparePorts;
  #key = '';
  #last: PreparedDraft | null = null;

  constructor(ports: PreparePorts) {
    this.#ports = ports;
  }

  of(draft: Draft): PreparedDraft {
    // Files and the lock change without a new revision; the data of a file never changes.
    const { id, revision, sending, connectionId, files } = draft;
    const key = JSON.stringify([id, revision, sending, connectionId, files.map((one) => one.id)]);
    if (this.#last === null || key !== this.#key) {
      this.#last = new PreparedDraft(draft, this.#ports);
      this.#key = key;
    }
    return this.#last;
  }

  /** Frees the memory of what was sent. */
  forget(): void {
    this.#last = null;
  }
}

function kept<Value>(make: () => Value): () => Value {
  let value: { readonly made: Value } | null = null;
  return () => (value ??= { made: make() }).made;
}

/** The same for work that may fail for now, such as at a limit of time: it is tried again. */
function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let result: Promise<Value> | null = null;
  return () => {
    const started = (result ??= work());
    started.catch(() => {
      if (result === started) result = null;
    });
    return started;
  };
}
