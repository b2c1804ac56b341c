import type { PdfForm } from '../../model/pdf-form.ts';
import type { ApiName } from '../../model/ids.ts';
import type { TemplateContent } from '../../model/template.ts';

/** Days until a new draft expires: enough for people on holiday, too few to be forgotten. */
const TEMPLATE_OPEN_DAYS = 30;
const NO_COUNTER = { prefix: '', width: 0 };

/** Content of a new template; read-only fields keep the value in the PDF. */
export function startTemplate(api: ApiName, title: string, form: PdfForm | null): TemplateContent {
  const kept = (form?.fields ?? []).filter(
    ({ readOnly, calculated, type }) => readOnly || calculated === true || type === 'button',
  );
  const body: TemplateContent['body'] =
    api === 'v1'
      ? { api, title, expireDays: TEMPLATE_OPEN_DAYS, deleteDays: null, roles: [], rest: {} }
      : { api, title, expireDays: TEMPLATE_OPEN_DAYS, roles: [], rest: {} };
  return {
    body,
    mapping: kept.map(({ name }) => ({ field: name, source: { from: 'empty' } })),
    questions: [],
    counter: NO_COUNTER,
    // v2 does not merge into attached files.
    merge: api === 'v1' ? 'service' : 'here',
  };
}
