import type { PdfForm, PdfValues, Template } from '../../../shared/contract/templates.ts';
import type { TemplateId } from '../../../shared/model/ids.ts';

export interface MergedPdf {
  readonly data: Uint8Array;
  readonly filled: number;
  /** Fillable fields without a value. */
  readonly unfilled: readonly string[];
}

/** A parsed, flattened form that can be filled many times; see `PdfCompiler`. */
export interface CompiledForm {
  readonly form: PdfForm;
  /**
   * Returns a flat, single-revision PDF. Throws 'invalid' with the field name: 'pdf-no-such-field',
   * 'pdf-no-such-option', 'pdf-password-field', 'pdf-value-too-long', 'pdf-text-cut' or
   * 'pdf-letters'.
   */
  fill(values: PdfValues): Promise<MergedPdf>;
  /** Frees the form; later fills throw. */
  close(): void;
}

/**
 * Opens a PDF form for filling it row by row, as batches do. Throws as `PdfForms.merge` does for
 * files that cannot be filled. `letters`: texts of the rows; one font subset for characters outside
 * WinAnsi covers all of them, and is made again only for a row with other characters.
 */
export interface PdfCompiler {
  compile(data: Uint8Array, letters?: Iterable<string>): Promise<CompiledForm>;
}

/** Templates with their PDFs. */
export interface TemplateStore {
  /** By name, including those in the trash. */
  list(): readonly Template[];
  /** Throws 'not-found'. */
  get(id: TemplateId): Template;
  /** Throws 'not-found', also for a template at the service, which has no PDF here. */
  pdf(id: TemplateId): Uint8Array;
  insert(template: Template, pdf: Uint8Array | null): void;
  /** Throws 'conflict' if the stored revision is not `template.revision`; increments it. */
  save(template: Template, pdf: Uint8Array | null): Template;
  setTrashed(id: TemplateId, at: number | null): void;
  /** Takes the next number of the template's counter, on disk before it returns; never twice. */
  takeNumber(id: TemplateId): number;
  countUse(id: TemplateId): void;
}
