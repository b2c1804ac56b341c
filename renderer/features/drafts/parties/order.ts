import type { DraftBodyV1, DraftBodyV2 } from '../../../../shared/contract/drafts.ts';
import { signatureOf, signatureText } from '../../../../shared/rules/forms/signature-text.ts';

/** Maps each old position of a list to its new one; null if the element was removed. */
type PositionMap = (place: number) => number | null;

/** Moves one element of `list`; nothing changes if out of range. Returns the new positions. */
export function moveElement<T>(list: T[], from: number, to: number): PositionMap {
  if (to < 0 || to >= list.length) return (place) => place;
  const [moved] = list.splice(from, 1);
  if (moved !== undefined) list.splice(to, 0, moved);
  return (place) => {
    if (place === from) return to;
    if (from < place && place <= to) return place - 1;
    return to <= place && place < from ? place + 1 : place;
  };
}

/** Removes one element of `list`. Returns the new positions. */
export function removeElement<T>(list: T[], at: number): PositionMap {
  list.splice(at, 1);
  if (list.length < at) return (place) => place;
  return (place) => (place === at ? null : place > at ? place - 1 : place);
}

/** Keeps drawn signatures with their parties; the signature of a removed party is emptied. */
export function updateSignaturePositions(body: DraftBodyV1, places: PositionMap): void {
  for (const field of body.attachments.flatMap(({ fields = [] }) => fields)) {
    const party = signatureOf(field.value);
    if (party === null) continue;
    const place = places(party);
    field.value = place === null ? '' : signatureText(place);
  }
}

/** Keeps v2's signature fields with their files (API v2, "Party", `signMetadata`). */
export function updateFilePositions(body: DraftBodyV2, places: PositionMap): void {
  for (const party of [...body.parties.privates, ...body.parties.companies]) {
    if (party.signMetadata === undefined) continue;
    party.signMetadata = party.signMetadata.flatMap((one) => {
      const attachmentIndex = places(one.attachmentIndex);
      return attachmentIndex === null ? [] : [{ ...one, attachmentIndex }];
    });
  }
}
