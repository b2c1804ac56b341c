import { EXCESS_COMBINING_MARKS } from '../../../../shared/rules/text/long-marks.ts';

/** Name of the form's field (API v2, "File upload for attachments"). */
const FILE_FIELD_NAME = 'file';

export interface EncodedForm {
  readonly body: Uint8Array;
  /** Media type, which includes the boundary of the parts. */
  readonly type: string;
}

/**
 * Encodes one file as a form. The file's name is sent as UTF-8 (RFC 7578, 5.1) in composed form, so
 * that a name from a Mac has the same characters as from other systems.
 */
export async function encodeForm(name: string, data: Uint8Array): Promise<EncodedForm> {
  const form = new FormData();
  form.append(
    FILE_FIELD_NAME,
    new File([new Uint8Array(data)], name.replaceAll(EXCESS_COMBINING_MARKS, '').normalize()),
  );
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  return { body: new Uint8Array(await encoded.arrayBuffer()), type };
}
