import type { DraftBodyV2 } from '../../../../shared/contract/drafts.ts';
import type { FileId } from '../../../../shared/model/ids.ts';
import type { CreateBodyV2 } from '../../../../shared/model/agreement-v2.ts';
import type { OutgoingFile, Signer } from '../../../core/ports.ts';
import { encodeBase64, encodeBody, fileOf } from '../both/encode.ts';
import { isTooLargeInline } from './upload-first.ts';

type Files = ReadonlyMap<FileId, OutgoingFile>;
type AttachmentDraft = NonNullable<DraftBodyV2['attachments']>[number];
type EncodedAttachment = NonNullable<CreateBodyV2['attachments']>[number];

/**
 * Encodes a create request. Sends only the content of the draft's own type; content of other types
 * stays in the draft. Files too large to be sent inline are only named: their tokens are added
 * after the upload.
 * @throws AppError 'invalid' if a file is missing
 */
export function encodeCreateV2(draft: DraftBodyV2, files: Files): Uint8Array {
  const { text, dynamicPdf, attachments, ...about } = draft;
  switch (draft.type) {
    case 'FREE_TEXT':
      return encodeBody({ ...about, text });
    case 'DYNAMIC_PDF':
      return encodeBody({ ...about, dynamicPdf });
    case 'ATTACHED': {
      const encode = isTooLargeInline(draft, files) ? nameAttachment : encodeAttachment;
      return encodeBody({
        ...about,
        attachments: attachments?.map((one, index) => encode(one, files, index)),
      });
    }
  }
}

/** Encodes a signature; its time is in milliseconds, as text (API v2, "Sign Agreement"). */
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

function encodeAttachment(one: AttachmentDraft, files: Files, index: number): EncodedAttachment {
  const named = nameAttachment(one, files, index);
  if (named.token !== undefined) return named;
  return { ...named, data: encodeBase64(fileOf(files, one.file, index).data) };
}

/** Encodes an attachment without its file: its name, and its token if it already has one. */
function nameAttachment(
  { file: id, name, token }: AttachmentDraft,
  files: Files,
  index: number,
): EncodedAttachment {
  if (id === undefined && token !== undefined) {
    return { token, ...(name === undefined ? {} : { name }) };
  }
  return { name: name ?? fileOf(files, id, index).name };
}
