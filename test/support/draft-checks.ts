import { DraftBodyV1, DraftBodyV2, type DraftFile } from '../../shared/contract/drafts.ts';
import { FileId } from '../../shared/model/ids.ts';
import type { PdfForm } from '../../shared/contract/templates.ts';
import { checkDraft } from '../../shared/rules/drafts/check.ts';

/** Time at which v1 drafts are checked. */
export const NOW = Date.UTC(2026, 10, 21, 12);
export const FILE = FileId.parse('00000000-0000-4000-8000-000000000001');

export const pdf: DraftFile = {
  id: FILE,
  name: 'lease.pdf',
  mimeType: 'application/pdf',
  bytes: 1000,
  sha256: '',
  pages: 1,
  fieldCount: 0,
  notices: [],
};

export const documentV1 = { type: 'BASE64', category: 'AGREEMENT', file: FILE };

export const personV1 = {
  type: 'PRIVATE',
  firstName: 'Åsa',
  lastName: 'Öberg',
  email: 'asa@example.com',
  signingConfigurations: [{ type: 'CLICK' }],
};

export const personV2 = {
  personNo: '18900101-9802',
  firstName: 'Åsa',
  lastName: 'Öberg',
  email: 'asa@example.com',
};

/** Data in addition to the body, with the form of `FILE`. */
export interface Around {
  readonly files?: readonly DraftFile[];
  readonly form?: PdfForm | undefined;
  readonly now?: number;
}

const formsOf = (form: PdfForm | undefined) => new Map(form === undefined ? [] : [[FILE, form]]);

/** Checks a valid v1 body with these changes. */
export function checkV1(change: object, { files = [pdf], form, now = NOW }: Around = {}) {
  const body = DraftBodyV1.parse({
    title: 'Lease',
    expireOn: '20270101T120000Z',
    attachments: [documentV1],
    parties: [personV1],
    ...change,
  });
  return checkDraft({ api: 'v1', body }, { files, forms: formsOf(form) }, now);
}

/** Checks a valid v2 body with these changes. */
export function checkV2(change: object, { files = [], form, now = 0 }: Around = {}) {
  const body = DraftBodyV2.parse({
    name: 'Lease',
    type: 'FREE_TEXT',
    text: 'All of it.',
    parties: { privates: [personV2], companies: [] },
    ...change,
  });
  return checkDraft({ api: 'v2', body }, { files, forms: formsOf(form) }, now);
}

/** Texts of problems, such as `parties.0.email: format`. */
export const lines = (found: readonly { readonly field: string; readonly code: string }[]) =>
  found.map(({ field, code }) => `${field}: ${code}`);
