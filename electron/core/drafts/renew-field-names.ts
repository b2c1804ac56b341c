import type { PdfForm, Template } from '../../../shared/contract/templates.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Clock, PdfForms, Stores } from '../ports.ts';

export interface RenewPorts {
  readonly stores: Pick<Stores, 'templates' | 'batches'>;
  readonly pdf: Pick<PdfForms, 'read'>;
  readonly clock: Clock;
}

/** What earlier versions wrote for each group of fields that has no name. */
const NAMELESS = /(?:^|\.)undefined(?:\.|$)/;

/**
 * Gives the fields of stored templates the names that every reader knows them by, where earlier
 * versions wrote "undefined" for groups without a name; the batches that wait for them follow. The
 * PDF itself says which names these are, so that a field somebody called so keeps its name.
 */
export async function renewFieldNames(ports: RenewPorts): Promise<void> {
  const { templates } = ports.stores;
  for (const template of templates.list()) {
    const { source } = template;
    if (source.kind !== 'pdf') continue;
    if (!source.form.fields.some(({ name }) => NAMELESS.test(name))) continue;
    try {
      const form = await ports.pdf.read(templates.pdf(template.id));
      renew(ports, template, form);
    } catch (error) {
      // Another process was first, or the PDF is not readable now: the names stay as they were.
      if (!(error instanceof AppError)) throw error;
    }
  }
}

function renew({ stores, clock }: RenewPorts, template: Template, form: PdfForm): void {
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
    // The person looked at this template; a batch of an older one is still asked about.
    const isCurrent = batch.templateRevision === revision;
    const change = { mapping: renamed, ...(isCurrent && { templateRevision: saved.revision }) };
    stores.batches.change(batchId, change, clock.now());
  }
}
