import type { DraftBodyV2 } from '../../../shared/contract/drafts.ts';
import type { FileId } from '../../../shared/contract/ids.ts';
import type { CreateBodyV2 } from '../../../shared/model/agreement-v2.ts';
import type { OutgoingFile, Signer } from '../../core/ports.ts';
import { encodeBase64, encodeBody, fileOf } from './encode.ts';

type Files = ReadonlyMap<FileId, OutgoingFile>;
type Attachment = NonNullable<CreateBodyV2['attachments']>[number];

/**
 * Only the content of the draft's own type goes out; what is left of another type stays.
 * @throws AppError 'invalid' when a file is missing
 */
export function encodeCreateV2(draft: DraftBodyV2, files: Files): Uint8Array {
  const { text, dynamicPdf, attachments, ...about } = draft;
  switch (draft.type) {
    case 'FREE_TEXT':
      return encodeBody({ ...about, text });
    case 'DYNAMIC_PDF':
      return encodeBody({ ...about, dynamicPdf });
    case 'ATTACHED':
      return encodeBody({
        ...about,
        attachments: attachments?.map((one, index) => encodeAttachment(one, files, index)),
      });
  }
}

/** API v2, "Sign Agreement": the instant is milliseconds, as text. */
export function encodeSignV2(signer: Signer, signedAt: number): Uint8Array {
  return encodeBody({
    partyType: 'COMPANY',
    orgNo: signer.orgNo ?? undefined,
    personNo: signer.personNumber ?? undefined,
    firstName: signer.firstName,
    lastName: signer.lastName,
    signedOn: String(signedAt),
  });
}

function encodeAttachment(
  { file: id, name, token }: NonNullable<DraftBodyV2['attachments']>[number],
  files: Files,
  index: number,
): Attachment {
  if (id === undefined && token !== undefined) {
    return { token, ...(name === undefined ? {} : { name }) };
  }
  const file = fileOf(files, id, index);
  return { name: name ?? file.name, data: encodeBase64(file.data) };
}
