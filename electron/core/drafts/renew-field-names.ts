import type { PdfForm, Template } from '../../../shared/contract/templates.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Clock, PdfForms, Stores } from '../ports.ts';

export interface RenewPorts {
  readonly stores: Pick<Stores, 'templates' | 'batches'>;
  readonly pdf: Pick<PdfForms, 'read'>;
  readonly clock: Clock;
}

/** Name that earlier versions wrote for each unnamed group of fields. */
const UNNAMED_FIELD_PART = /(?:^|\.)undefined(?:\.|$)/;

/**
 * Corrects the field names of stored templates, and of batches that use them: earlier versions
 * wrote "undefined" for unnamed groups. Uses the names in the PDF, so that a field really named
 * "undefined" keeps its name.
 */
export async function renewFieldNames(ports: RenewPorts): Promise<void> {
  const { templates } = ports.stores;
  for (const template of templates.list()) {
    const { source } = template;
    if (source.kind !== 'pdf') continue;
    if (!source.form.fields.some(({ name }) => UNNAMED_FIELD_PART.test(name))) continue;
    try {
      const form = await ports.pdf.read(templates.pdf(template.id));
      renewTemplate(ports, template, form);
    } catch (error) {
      // Another process was faster, or the PDF cannot be read now: keep the names.
      if (!(error instanceof AppError)) throw error;
    }
  }
}

function renewTemplate({ stores, clock }: RenewPorts, template: Template, form: PdfForm): void {
  const { source, content, id, revision } = template;
  const names = new Map(
    form.fields.flatMap(({ name, formerName }) =>
      formerName === undefined ? [] : [[formerName, name] as const],
    ),
  );
  if (source.kind !== 'pdf' || names.size === 0) return;
  const nameOf = (name: string) => names.get(name) ?? name;
  const mapping = content.mapping.map((one) => ({ ...one, field: nameOf(one.field) }));
  const next = { ...template, source: { ...source, form }, content: { ...content, mapping } };
  const saved = stores.templates.save(next, null);
  for (const { id: batchId, stage } of stores.batches.list()) {
    const batch = stores.batches.get(batchId);
    if (stage !== 'open' || batch.templateId !== id || batch.mapping === null) continue;
    const fields = Object.entries(batch.mapping.fields).map(
      ([name, text]) => [nameOf(name), text] as const,
    );
    const renamed = { ...batch.mapping, fields: Object.fromEntries(fields) };
    // The user checked this template revision. A batch with an older revision keeps it, so that the
    // user is still asked to check the batch again.
    const isCurrent = batch.templateRevision === revision;
    const change = { mapping: renamed, ...(isCurrent && { templateRevision: saved.revision }) };
    stores.batches.change(batchId, change, clock.now());
  }
}
