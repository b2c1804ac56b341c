import type {
  DraftCheck,
  DraftContent,
  Problem,
  ProblemCode,
} from '../../../shared/contract/drafts.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { PdfField } from '../../../shared/contract/templates.ts';
import { type ErrorReason, isCode } from '../../../shared/errors.ts';
import { checkDraft } from '../../../shared/rules/drafts/check.ts';
import { fieldNamed } from '../../../shared/rules/drafts/parts/documents.ts';
import { fitValue, REFERENCE_FIELD } from '../../../shared/rules/forms/field-values.ts';
import { signatureOf } from '../../../shared/rules/forms/signature-text.ts';
import type { Clock, Stores } from '../ports.ts';
import { allowedRecipientsOf } from '../services/allowed.ts';
import type { PreparedDraft } from './prepare.ts';

/**
 * Returns the draft's content with the values to send: fields without a value are omitted, so that
 * the PDF keeps its own, and a list option becomes the PDF's export value.
 */
export async function outgoingContent(
  prepared: PreparedDraft,
  stores: Pick<Stores, 'templates'>,
): Promise<DraftContent> {
  const { content } = prepared.draft;
  if (content.api === 'v1') {
    const forms = await prepared.forms();
    const attachments = content.body.attachments.map((one) => {
      const form = one.file === undefined ? undefined : forms.get(one.file);
      if (one.fields === undefined || one.merge === 'here') return one;
      const fields = one.fields.flatMap((field) => {
        const known = fieldNamed(form?.fields ?? [], field.name);
        const value = outgoingValue(field.value, known);
        const name = known?.name ?? field.name;
        return value === null ? [] : [{ ...field, name, value: String(value) }];
      });
      return { ...one, fields };
    });
    return { api: 'v1', body: { ...content.body, attachments } };
  }
  const { dynamicPdf } = content.body;
  if (dynamicPdf === undefined) return content;
  const known = learnedFieldsOf(content, stores);
  const fields = dynamicPdf.fields.flatMap(({ name, value: given }) => {
    if (name === REFERENCE_FIELD) return [{ name, value: given }];
    const value = outgoingValue(given, known?.get(name));
    return value === null ? [] : [{ name, value }];
  });
  return { api: 'v2', body: { ...content.body, dynamicPdf: { ...dynamicPdf, fields } } };
}

/**
 * Returns the value to send. A value that does not fit is kept as written: the check reports it,
 * and nothing is sent.
 */
function outgoingValue(
  given: string | boolean,
  field: PdfField | undefined,
): string | boolean | null {
  if (typeof given === 'string' && signatureOf(given) !== null) return given;
  const { value, problem } = fitValue(field, given);
  return problem === null ? value : given;
}

/**
 * Returns the fields of the service's own template, if a local template has learned them (API v2).
 */
function learnedFieldsOf(
  content: DraftContent,
  stores: Pick<Stores, 'templates'>,
): ReadonlyMap<string, PdfField> | undefined {
  const id = content.api === 'v2' ? content.body.dynamicPdf?.templateId : undefined;
  if (id === undefined || id === '') return undefined;
  const sources = stores.templates.list().map(({ source }) => source);
  const found = sources.find((one) => one.kind === 'service' && one.templateId === id);
  return found?.kind === 'service'
    ? new Map(found.fields.map((field) => [field.name, field]))
    : undefined;
}

/** Checks the rules and everything that only the PDFs show. */
export async function checkPreparedDraft(
  prepared: PreparedDraft,
  ports: {
    readonly stores: Pick<Stores, 'connections' | 'templates'>;
    readonly clock: Clock;
  },
  /** Connection to send through. */
  connectionId: ConnectionId | null,
): Promise<DraftCheck> {
  const { draft } = prepared;
  const forms = await prepared.forms();
  const template = learnedFieldsOf(draft.content, ports.stores);
  const documents = { files: draft.files, forms, ...(template !== undefined && { template }) };
  const allowed = allowedRecipientsOf(ports.stores, connectionId);
  const check = checkDraft(draft.content, documents, ports.clock.now(), allowed);
  if (check.errors.length > 0) return check;
  const fits = await prepared.fits();
  const cut = fits.filter(({ isError }) => isError).map(({ problem }) => problem);
  const errors = cut.length > 0 ? cut : await checkMerges(prepared);
  const told = fits.filter(({ isError }) => !isError).map(({ problem }) => problem);
  return { ...check, errors, warnings: [...check.warnings, ...told] };
}

const problemCodeByReason: Readonly<Partial<Record<ErrorReason, ProblemCode>>> = {
  'pdf-letters': 'letters',
  'pdf-value-too-long': 'value-too-long',
  'pdf-text-cut': 'text-cut',
  'pdf-no-such-field': 'no-such-field',
  'pdf-no-such-option': 'not-offered',
  'pdf-password-field': 'password-field',
};

/**
 * Returns the problems that only merging shows, if this program merges: characters the PDF cannot
 * show, unknown options.
 */
async function checkMerges(prepared: PreparedDraft): Promise<Problem[]> {
  try {
    await prepared.files();
    return [];
  } catch (error) {
    if (!isCode(error, 'invalid')) throw error;
    const { reason, message, letter } = error.failure;
    const code = (reason === undefined ? undefined : problemCodeByReason[reason]) ?? 'format';
    return [{ field: 'attachments', code, message, ...(letter !== undefined && { letter }) }];
  }
}
