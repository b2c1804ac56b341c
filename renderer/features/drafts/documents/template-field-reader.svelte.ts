import type { DraftBodyV2 } from '../../../../shared/contract/drafts.ts';
import { AgreementId, type ConnectionId } from '../../../../shared/model/ids.ts';
import { api, transferBytes } from '../../../window/desk.ts';
import { m } from '../../../ui/language.svelte.ts';
import { activity } from '../../../window/activity.svelte.ts';

type TemplateFieldValue = NonNullable<DraftBodyV2['dynamicPdf']>['fields'][number];

/**
 * Finds the fields of a template on the service. No endpoint lists them: they come from a copy of
 * its PDF, or from the values of an earlier agreement.
 */
export class TemplateFieldReader {
  async fromFile(file: File | undefined): Promise<readonly TemplateFieldValue[]> {
    let found: readonly TemplateFieldValue[] = [];
    if (file === undefined) return found;
    await activity.attempt(async () => {
      const bytes = await transferBytes(new Uint8Array(await file.arrayBuffer()));
      const form = await api['templates.fields']({ bytes });
      const filled = form.fields.filter(({ type }) => type !== 'signature' && type !== 'button');
      found = filled.map(({ name, type, value }) => ({
        name,
        value: type === 'checkbox' ? value === 'true' : value,
      }));
      activity.notify(() => m.template_learnt({ count: found.length }));
    });
    return found;
  }

  async fromAgreement(
    connectionId: ConnectionId | null,
    reference: string,
  ): Promise<{
    readonly templateId: string | null;
    readonly fields: readonly TemplateFieldValue[];
  } | null> {
    const id = AgreementId.safeParse(reference);
    if (connectionId === null || !id.success) {
      activity.notify(m.template_needs_connection);
      return null;
    }
    const key = { connectionId, id: id.data };
    let learnt: { templateId: string | null; fields: readonly TemplateFieldValue[] } | null = null;
    await activity.attempt(async () => {
      const values = await api['actions.fieldValues']({ key });
      if (values === null) {
        activity.notify(m.template_not_one);
        return;
      }
      const fields = values.fields.map(({ name, value }) => ({ name, value: value ?? '' }));
      learnt = { templateId: values.templateId, fields };
      activity.notify(() => m.template_learnt({ count: fields.length }));
    });
    return learnt;
  }
}
