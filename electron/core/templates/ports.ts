import type { PdfForm, PdfValues, Template } from '../../../shared/contract/templates.ts';
import type { TemplateId } from '../../../shared/model/ids.ts';

export interface MergedPdf {
  readonly data: Uint8Array;
  readonly filled: number;
  /** Names of fillable fields without a value. */
  readonly unfilled: readonly string[];
}

/** A parsed form that can be filled many times; see `PdfCompiler`. */
export interface CompiledForm {
  readonly form: PdfForm;
  /**
   * Returns a flattened PDF with a single revision. Throws 'invalid' with the field name:
   * 'pdf-no-such-field', 'pdf-no-such-option', 'pdf-password-field', 'pdf-value-too-long',
   * 'pdf-text-cut' or 'pdf-letters'.
   */
  fill(values: PdfValues): Promise<MergedPdf>;
  /** Frees the form; later fills throw. */
  close(): void;
}

/**
 * Opens a PDF form for filling it row by row, as batches do. For files that cannot be filled, it
 * throws the errors of `PdfForms.merge`. `letters` are the texts of the rows: one font subset has
 * all their characters outside WinAnsi, and is made again only for a row with other characters.
 */
export interface PdfCompiler {
  compile(data: Uint8Array, letters?: Iterable<string>): Promise<CompiledForm>;
}

/** Templates with their PDFs. */
export interface TemplateStore {
  /** Returns all templates, sorted by name, including those in the trash. */
  list(): readonly Template[];
  /** Throws 'not-found'. */
  get(id: TemplateId): Template;
  /** Throws 'not-found', also for a template at the service, whose PDF is not on this computer. */
  pdf(id: TemplateId): Uint8Array;
  insert(template: Template, pdf: Uint8Array | null): void;
  /**
   * Saves the template and increments its revision. Throws 'conflict' if the stored revision is not
   * `template.revision`.
   */
  save(template: Template, pdf: Uint8Array | null): Template;
  setTrashed(id: TemplateId, at: number | null): void;
  /**
   * Returns the next number of the template's counter, never the same one twice: its use is on disk
   * before this returns.
   */
  takeNumber(id: TemplateId): number;
  countUse(id: TemplateId): void;
}
