import * as z from 'zod';
import type { DraftBodyV2 } from '../../../../shared/contract/drafts.ts';
import type { FileId } from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import {
  UPLOAD_FROM_BYTES,
  TOTAL_BELOW,
  MAX_TOTAL_TEXT,
} from '../../../../shared/rules/drafts/v2/content.ts';
import type { OutgoingFile, PreUpload } from '../../../core/ports.ts';
import { encodeBody, fileOf } from '../both/encode.ts';

type Files = ReadonlyMap<FileId, OutgoingFile>;

const UploadFirstBody = z.looseObject({
  attachments: z.array(
    z.object({
      name: z.string().optional(),
      data: z.string().optional(),
      token: z.string().optional(),
    }),
  ),
});

/**
 * Whether the files must be uploaded first. If so, all are uploaded, since mixing uploaded and
 * inline files is undocumented.
 */
export function isTooLargeInline(draft: DraftBodyV2, files: Files): boolean {
  return totalBytesOf(attachedFiles(draft, files)) >= UPLOAD_FROM_BYTES;
}

export const uploadFirstV2: PreUpload = {
  filesOf(content, files) {
    if (content.api !== 'v2' || content.body.type !== 'ATTACHED') return [];
    const attached = attachedFiles(content.body, files);
    const total = totalBytesOf(attached);
    // Filling in values may have made a PDF larger than the file that was checked before.
    if (total >= TOTAL_BELOW) {
      const fields = { attachments: `The files must be smaller than ${MAX_TOTAL_TEXT} together` };
      throw new AppError('invalid', 'The files are too large', { reason: 'too-large', fields });
    }
    return total >= UPLOAD_FROM_BYTES ? attached : [];
  },

  complete(body, tokens) {
    const open = [...tokens];
    const { attachments, ...about } = UploadFirstBody.parse(
      JSON.parse(new TextDecoder().decode(body)),
    );
    const whole = attachments.map((one) => {
      if (one.data !== undefined || one.token !== undefined) return one;
      const token = open.shift();
      if (token === undefined) throw new Error('An attachment is left without its token');
      return { ...one, token };
    });
    return encodeBody({ ...about, attachments: whole });
  },
};

function attachedFiles(draft: DraftBodyV2, files: Files): readonly OutgoingFile[] {
  return (draft.attachments ?? []).flatMap(({ file, token }, index) =>
    file === undefined && token !== undefined ? [] : fileOf(files, file, index),
  );
}

function totalBytesOf(files: readonly OutgoingFile[]): number {
  return files.reduce((sum, { data }) => sum + data.byteLength, 0);
}
