import { describe, expect, it } from 'vitest';
import type { DraftBodyV1, DraftBodyV2 } from '../../../../../shared/contract/drafts.ts';
import {
  removeElement,
  updateFilePositions,
  updateSignaturePositions,
  moveElement,
} from '../../../../../renderer/features/drafts/parties/order.ts';

const signature = (party: number): string => `{{@agr.parties[${party}].signature}}`;

function bodyWith(parties: number, values: readonly string[]): DraftBodyV1 {
  return {
    title: 'Lease',
    attachments: [
      {
        type: 'BASE64',
        fields: values.map((value, index) => ({ name: `field${index}`, value })),
      },
    ],
    parties: Array.from({ length: parties }, (_, index) => ({
      type: 'PRIVATE' as const,
      firstName: `Party ${index}`,
      signingConfigurations: [{ type: 'DRAW' as const }],
    })),
  };
}

const valuesOf = (body: DraftBodyV1): (string | undefined)[] =>
  body.attachments.flatMap(({ fields = [] }) => fields.map(({ value }) => value));

describe('the order of parties in a draft', () => {
  it('keeps a drawn signature with its party when parties are moved (T1-37)', () => {
    const body = bodyWith(3, [signature(0), signature(1), signature(2), 'plain text']);
    updateSignaturePositions(body, moveElement(body.parties, 0, 2));
    expect(body.parties.map(({ firstName }) => firstName)).toEqual([
      'Party 1',
      'Party 2',
      'Party 0',
    ]);
    expect(valuesOf(body)).toEqual([signature(2), signature(0), signature(1), 'plain text']);
  });

  it('is restored if a party is moved down and up again (T1-37)', () => {
    const body = bodyWith(4, [signature(0), signature(1), signature(2), signature(3)]);
    const before = structuredClone(body);
    updateSignaturePositions(body, moveElement(body.parties, 1, 3));
    updateSignaturePositions(body, moveElement(body.parties, 3, 1));
    expect(body).toEqual(before);
  });

  it('clears the signature of a removed party, and moves the later ones along (T1-37)', () => {
    const body = bodyWith(3, [signature(0), signature(1), signature(2)]);
    updateSignaturePositions(body, removeElement(body.parties, 1));
    expect(valuesOf(body)).toEqual([signature(0), '', signature(1)]);
  });

  it('does not change on a move past either end', () => {
    const list = ['a', 'b'];
    const places = moveElement(list, 1, 2);
    expect(list).toEqual(['a', 'b']);
    expect([places(0), places(1)]).toEqual([0, 1]);
  });

  it('keeps v2 signature fields with their file when files move or are removed (T2-52)', () => {
    const signMetadata = [
      { attachmentIndex: 0, signatureFields: ['first'] },
      { attachmentIndex: 1, signatureFields: ['second'] },
    ];
    const body: DraftBodyV2 = {
      name: 'Lease',
      type: 'ATTACHED',
      parties: { privates: [{ signMetadata }], companies: [] },
      attachments: [{ name: 'a.pdf' }, { name: 'b.pdf' }],
    };
    const files = body.attachments ?? [];
    updateFilePositions(body, moveElement(files, 0, 1));
    expect(body.parties.privates[0]?.signMetadata).toEqual([
      { attachmentIndex: 1, signatureFields: ['first'] },
      { attachmentIndex: 0, signatureFields: ['second'] },
    ]);
    updateFilePositions(body, removeElement(files, 0));
    expect(body.parties.privates[0]?.signMetadata).toEqual([
      { attachmentIndex: 0, signatureFields: ['first'] },
    ]);
  });
});
