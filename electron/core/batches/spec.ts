import type { Batch } from '../../../shared/contract/batches.ts';
import type { DraftFile } from '../../../shared/contract/drafts.ts';
import { FileId } from '../../../shared/model/ids.ts';
import type { Template } from '../../../shared/contract/templates.ts';
import { AppError } from '../../../shared/errors.ts';
import type { BatchDocument, CheckSpec } from '../../../shared/rules/batches/check.ts';
import { templateFields } from '../../../shared/rules/templates/fields.ts';
import { numberText } from '../../../shared/rules/templates/values.ts';
import type { Clock, Stores } from '../ports.ts';
import { allowedRecipientsOf } from '../services/allowed.ts';

export interface SpecPorts {
  readonly stores: Pick<Stores, 'batches' | 'connections' | 'templates'>;
  readonly clock: Clock;
}

/** Returns the template of a batch. Throws 'invalid' with 'column-missing' if none is chosen. */
export function templateOf({ stores }: SpecPorts, batch: Batch): Template {
  return stores.templates.get(requireChoice(batch.templateId));
}

/**
 * Returns the chosen value, or throws 'invalid' if no template is chosen: a batch with a template
 * also has a mapping.
 */
function requireChoice<Choice>(choice: Choice | null): Choice {
  if (choice !== null) return choice;
  throw new AppError('invalid', 'Choose a template first', { reason: 'column-missing' });
}

/** Returns everything needed to validate a row of the batch. */
export function checkSpecOf(ports: SpecPorts, batch: Batch): CheckSpec {
  const template = templateOf(ports, batch);
  return {
    mapping: requireChoice(batch.mapping),
    matches: [...batch.matches],
    columns: batch.sheet.columns.map(({ name }) => name),
    document: documentOf(template),
    fields: [...templateFields(template)],
    now: ports.clock.now(),
    number: numberText(template.content.counter, template.nextNumber),
    allowed: allowedRecipientsOf(ports.stores, batch.connectionId),
  };
}

/**
 * Returns the PDF of a template as a file of each row's draft; null for a template stored at the
 * service.
 */
function documentOf({ id, source, content }: Template): BatchDocument | null {
  if (source.kind === 'service') return null;
  const file: DraftFile = {
    // The file belongs to no draft, and a template has no other file, so the template's id is
    // unique.
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

/** Returns the key of a template's document, by which the same row is recognized later. */
export function documentKey({ source }: Template): string {
  return source.kind === 'pdf' ? source.sha256 : source.templateId;
}
