import type { PlacedKind } from '../../../shared/model/placed-field.ts';

/** A merge code or content control of a document, with its anchor text on the page. */
export interface MergeCode {
  /** Text between the braces, after the kind. */
  readonly anchor: string;
  readonly name: string;
  readonly kind: PlacedKind;
  /** Options of a list field. */
  readonly options: readonly string[];
}

/** A document converted to PDF. */
export interface ConvertedDocument {
  readonly data: Uint8Array;
  /** The same pages with anchors instead of the codes; null if there are no codes. */
  readonly marked: Uint8Array | null;
  readonly codes: readonly MergeCode[];
}

/** Converts office documents and pictures to PDF. */
export interface DocumentConverter {
  /**
   * Converts a file; null for a PDF, and for a file that is neither document nor picture. With
   * `codes`, merge codes and anchors leave their space empty. Throws 'invalid' with
   * 'office-missing', 'document-kind', 'document-damaged', 'document-password', 'document-limit' or
   * 'picture-kind', and 'conflict' with 'desk-busy' if other conversions take too long.
   */
  convert(
    data: Uint8Array,
    options: { readonly codes: boolean },
  ): Promise<ConvertedDocument | null>;
}
