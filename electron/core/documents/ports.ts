import type { PlacedKind } from '../../../shared/model/placed-field.ts';

/** A merge code or a content control of a document, and the text that stands for it on a page. */
export interface MergeCode {
  /** What stands between the braces, after the kind. */
  readonly anchor: string;
  readonly name: string;
  readonly kind: PlacedKind;
  /** Of a list. */
  readonly options: readonly string[];
}

/** A document as a PDF. */
export interface ConvertedDocument {
  readonly data: Uint8Array;
  /** The same pages, on which anchors show where the codes stood; null where there are none. */
  readonly marked: Uint8Array | null;
  readonly codes: readonly MergeCode[];
}

/** Makes PDFs of what office programs and cameras write. */
export interface DocumentConverter {
  /**
   * Null for what is neither a document nor a picture, and for a PDF. With `codes` merge codes and
   * anchors leave the room they take empty. Throws 'invalid' with 'office-missing', 'document-kind',
   * 'document-damaged', 'document-password', 'document-limit' or 'picture-kind', and 'conflict' with
   * 'desk-busy' when others convert for too long.
   */
  convert(
    data: Uint8Array,
    options: { readonly codes: boolean },
  ): Promise<ConvertedDocument | null>;
}
