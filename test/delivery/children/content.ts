import { DraftBodyV1, DraftBodyV2, type DraftContent } from '../../../shared/contract/drafts.ts';
import type { FileId } from '../../../shared/model/ids.ts';

/**
 * Text as from a spreadsheet of another system: with an extra space, and with macOS's decomposed
 * characters.
 */
const LEASE = `Lease  of ${'Åsa'.normalize('NFD')}`;

/**
 * Content of a row. Rows come in pairs that differ only in their marks, since users do send a lease
 * twice.
 */
export function contentOf(api: 'v1' | 'v2', rowNo: number, file: FileId | null): DraftContent {
  const title = `${LEASE} ${String(Math.floor(rowNo / 2))}`;
  return api === 'v1' ? contentV1(title, file) : contentV2(title, file);
}

function contentV1(title: string, file: FileId | null): DraftContent {
  const body = DraftBodyV1.parse({
    title,
    expireOn: '20991231T120000Z',
    attachments: file === null ? [] : [{ type: 'BASE64', category: 'AGREEMENT', file }],
    parties: [
      {
        type: 'PRIVATE',
        firstName: 'Åsa',
        lastName: 'Öberg',
        email: 'asa@example.com',
        signingConfigurations: [{ type: 'CLICK' }],
      },
    ],
  });
  return { api: 'v1', body };
}

function contentV2(name: string, file: FileId | null): DraftContent {
  const person = {
    personNo: '189001019802',
    firstName: 'Åsa',
    lastName: 'Öberg',
    email: 'asa@example.com',
  };
  const company = { orgNo: '5560360793', firstName: 'Bo', lastName: 'Ek', email: 'bo@example.com' };
  const body = DraftBodyV2.parse({
    name,
    ...(file === null
      ? { type: 'FREE_TEXT', text: 'All of it.' }
      : { type: 'ATTACHED', attachments: [{ file }] }),
    parties: { privates: [person], companies: [company] },
  });
  return { api: 'v2', body };
}
