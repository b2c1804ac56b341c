import { PDFDocument } from 'pdf-lib';
import type { AgreementService, OutgoingFile } from '../../../electron/core/ports.ts';
import { DraftBodyV1, DraftBodyV2, type DraftContent } from '../../../shared/contract/drafts.ts';
import { FileId } from '../../../shared/model/ids.ts';
import { REF } from './desk.ts';

export const FILE = FileId.parse('5f0c5a1e-7f1d-4a52-9d55-1b7a3f0f2a10');
export const MODIFIED_AT = Date.UTC(2026, 4, 1, 10, 20, 30);

export async function onePage(): Promise<ReadonlyMap<FileId, OutgoingFile>> {
  // The PDF has no creation time, so that two such PDFs have identical bytes.
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.addPage([200, 200]);
  const data = await pdf.save();
  return new Map([[FILE, { name: 'avtal.pdf', data, modifiedAt: MODIFIED_AT }]]);
}

export function draftV1(change: Partial<DraftBodyV1> = {}): DraftContent {
  const body: DraftBodyV1 = {
    title: 'Hyresavtal Östergatan',
    attachments: [{ type: 'BASE64', file: FILE }],
    parties: [
      { type: 'MY_COMPANY', signingConfigurations: [{ type: 'API' }] },
      {
        type: 'PRIVATE',
        firstName: 'Åsa',
        lastName: 'Öberg',
        email: 'asa@example.com',
        signingConfigurations: [{ type: 'CLICK' }],
      },
    ],
    ...change,
  };
  return { api: 'v1', body };
}

export function draftV2(change: Partial<DraftBodyV2> = {}): DraftContent {
  const body: DraftBodyV2 = {
    name: 'Hyresavtal Östergatan',
    type: 'ATTACHED',
    attachments: [{ file: FILE }],
    parties: {
      privates: [
        {
          personNo: '198507099805',
          firstName: 'Åsa',
          lastName: 'Öberg',
          email: 'asa@example.com',
          signMethods: ['EMAIL'],
        },
      ],
      companies: [
        {
          orgNo: '5599990008',
          firstName: 'Karin',
          lastName: 'Lindqvist',
          email: 'karin@example.com',
        },
      ],
    },
    ...change,
  };
  return { api: 'v2', body };
}

/** Returns the body sent for a draft, parsed. */
export async function encoded(
  service: AgreementService,
  content: DraftContent,
): Promise<Record<string, unknown>> {
  const bytes = service.encodeCreate(content, await onePage(), REF);
  return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
}
