import type { DraftBodyV1 } from '../../../../shared/contract/drafts.ts';
import type { FileId, OutboxRef } from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { CreateBodyV1, PartyV1 } from '../../../../shared/model/agreement-v1.ts';
import { formatV1Time } from '../../../../shared/rules/time/wire-time.ts';
import type { OutgoingFile, Signer } from '../../../core/ports.ts';
import { encodeBase64, encodeBody, fileOf } from '../both/encode.ts';

/** Tag that identifies an agreement if the answer to its create request was lost. */
export const REF_TAG = 'desk.ref';
/** Maximum number of tags (API v1, "Tags"). */
const MAX_TAGS = 100;

type Files = ReadonlyMap<FileId, OutgoingFile>;

/**
 * Encodes a create request.
 * @throws AppError 'invalid' if a file is missing or no tag can be added
 */
export function encodeCreateV1(draft: DraftBodyV1, files: Files, ref: OutboxRef): Uint8Array {
  const body: CreateBodyV1 = {
    ...draft,
    attachments: draft.attachments.map((attachment, index) =>
      encodeAttachment(attachment, files, index),
    ),
    parties: draft.parties.map(encodeParty),
    tags: { ...draft.tags, [REF_TAG]: ref },
  };
  if (Object.keys(body.tags ?? {}).length > MAX_TAGS) {
    const sentence = `There is one tag too many, because ${REF_TAG} is added when the agreement is sent. Remove a tag`;
    throw new AppError('invalid', sentence, { fields: { tags: sentence } });
  }
  return encodeBody(body);
}

/**
 * Encodes a signature with everything known about the person, since the API does not document what
 * it requires.
 */
export function encodeSignV1(signer: Signer, signedAt: number): Uint8Array {
  return encodeBody({
    firstName: signer.firstName,
    lastName: signer.lastName,
    country: signer.country ?? undefined,
    signedOn: formatV1Time(signedAt),
    personNumber: signer.personNumber ?? undefined,
    email: signer.email ?? undefined,
    mobile: signer.mobile ?? undefined,
  });
}

function encodeAttachment(
  { file: id, merge, ...attachment }: DraftBodyV1['attachments'][number],
  files: Files,
  index: number,
): CreateBodyV1['attachments'][number] {
  const category = attachment.category ?? 'AGREEMENT';
  const { name, token, lastModifiedOn, fields, ...about } = attachment;
  // Values already filled into the PDF are not also sent as fields: it would be unclear which
  // values count.
  const rest = { ...about, ...(fields === undefined || merge === 'here' ? {} : { fields }) };
  if (attachment.type === 'TOKEN') {
    return { ...rest, category, ...(token === undefined ? {} : { token }) };
  }
  const file = fileOf(files, id, index);
  const modifiedOn =
    lastModifiedOn ?? (file.modifiedAt === null ? undefined : formatV1Time(file.modifiedAt));
  return {
    ...rest,
    category,
    name: name ?? file.name,
    data: encodeBase64(file.data),
    ...(modifiedOn === undefined ? {} : { lastModifiedOn: modifiedOn }),
  };
}

/**
 * Encodes a party. Known data of the user's own company must not be sent (API v1, "Party
 * (request)").
 */
function encodeParty(party: PartyV1): PartyV1 {
  if (party.type !== 'MY_COMPANY') return party;
  const { name: _name, companyNumber: _number, country: _country, ...own } = party;
  return own;
}
