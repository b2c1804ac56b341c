import type { Batch } from '../../../shared/contract/batches.ts';
import type { DraftFile } from '../../../shared/contract/drafts.ts';
import { FileId } from '../../../shared/model/ids.ts';
import type { Template } from '../../../shared/contract/templates.ts';
import { AppError } from '../../../shared/errors.ts';
import type { BatchDocument, CheckSpec } from '../../../shared/rules/batches/check.ts';
import { templateFields } from '../../../shared/rules/templates/fields.ts';
import { numberText } from '../../../shared/rules/templates/values.ts';
import type { Clock, Stores } from '../ports.ts';
import { allowedBy } from '../services/allowed.ts';

export interface SpecPorts {
  readonly stores: Pick<Stores, 'batches' | 'connections' | 'templates'>;
  readonly clock: Clock;
}

/** The template of a batch. Throws 'invalid' with 'column-missing' while none is chosen. */
export function templateOf({ stores }: SpecPorts, batch: Batch): Template {
  return stores.templates.get(chosen(batch.templateId));
}

/** A batch with a template has a mapping, too. */
function chosen<Choice>(choice: Choice | null): Choice {
  if (choice !== null) return choice;
  throw new AppError('invalid', 'Choose a template first', { reason: 'column-missing' });
}

/** Everything a row of the batch is judged by. */
export function specOf(ports: SpecPorts, batch: Batch): CheckSpec {
  const template = templateOf(ports, batch);
  return {
    mapping: chosen(batch.mapping),
    matches: [...batch.matches],
    columns: batch.sheet.columns.map(({ name }) => name),
    document: documentOf(template),
    fields: [...templateFields(template)],
    now: ports.clock.now(),
    number: numberText(template.content.counter, template.nextNumber),
    allowed: allowedBy(ports.stores, batch.connectionId),
  };
}

/** The PDF of a template as a file of each row's draft; null for one that lies on the service. */
function documentOf({ id, source, content }: Template): BatchDocument | null {
  if (source.kind === 'service') return null;
  const file: DraftFile = {
    // No draft owns it, and a template has no other file.
    id: FileId.parse(id),
    name: source.fileName,
    mimeType: 'application/pdf',
    bytes: source.bytes,
    sha256: source.sha256,
    pages: source.form.pages,
    fieldCount: source.form.fields.length,
    notices: [],
  };
  return { file, form: source.form, merge: content.merge };
}

/** What tells the documents of two templates apart, for finding the same row again. */
export function documentKey({ source }: Template): string {
  return source.kind === 'pdf' ? source.sha256 : source.templateId;
}
