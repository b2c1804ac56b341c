import type { PdfForm, PdfValues, Template } from '../../../shared/contract/templates.ts';
import type { TemplateId } from '../../../shared/model/ids.ts';

/** What merging gave. */
export interface MergedPdf {
  readonly data: Uint8Array;
  readonly filled: number;
  /** Fields that a person could fill and that hold nothing. */
  readonly unfilled: readonly string[];
}

/** A form parsed once and flattened, to be filled many times; see `PdfCompiler`. */
export interface CompiledForm {
  readonly form: PdfForm;
  /**
   * A flat, single-revision PDF. Throws 'invalid' with the field named: 'pdf-no-such-field',
   * 'pdf-no-such-option', 'pdf-password-field', 'pdf-value-too-long', 'pdf-text-cut' or 'pdf-letters'.
   */
  fill(values: PdfValues): Promise<MergedPdf>;
  /** Forgets the form; later fills throw. */
  close(): void;
}

/**
 * Opens a PDF form for filling it row by row, as batches do. Throws what `PdfForms.merge` throws for
 * files that cannot be filled. `letters` are texts of the rows: a font for letters outside WinAnsi
 * is cut once for all of them, and again whenever a row has letters none of them had.
 */
export interface PdfCompiler {
  compile(data: Uint8Array, letters?: Iterable<string>): Promise<CompiledForm>;
}

/** A template as a store keeps it, beside its PDF. */
export interface TemplateStore {
  /** By name, those in the trash too. */
  list(): readonly Template[];
  /** Throws 'not-found'. */
  get(id: TemplateId): Template;
  /** Throws 'not-found', also for a template of the service, which has no PDF here. */
  pdf(id: TemplateId): Uint8Array;
  insert(template: Template, pdf: Uint8Array | null): void;
  /** Throws 'conflict' when the stored revision is not `template.revision`; stores it one higher. */
  save(template: Template, pdf: Uint8Array | null): Template;
  setTrashed(id: TemplateId, at: number | null): void;
  /** Takes the next number of the template's counter, on disk before it returns; none twice. */
  takeNumber(id: TemplateId): number;
  countUse(id: TemplateId): void;
}
