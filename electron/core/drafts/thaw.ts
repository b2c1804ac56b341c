import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type { Loss } from '../../../shared/contract/draft-history.ts';
import type { ApiName, FileId } from '../../../shared/model/ids.ts';
import { CreateBodyV1 } from '../../../shared/model/agreement-v1.ts';
import { CreateBodyV2 } from '../../../shared/model/agreement-v2.ts';
import { toStoredValue } from '../../../shared/rules/forms/field-values.ts';
import type { Encoding } from '../ports.ts';

/** Tags that belong to one send only. */
const OWN_TAG = /^desk\./;

interface ThawedDraft {
  readonly content: DraftContent;
  readonly files: readonly {
    readonly id: FileId;
    readonly name: string;
    readonly data: Uint8Array;
  }[];
  readonly losses: readonly Loss[];
}

/** Restores a draft from the exact bytes that were sent; the documents are as sent. */
export function thawBody(
  api: ApiName,
  bytes: Uint8Array,
  { encoding, newId }: { readonly encoding: Encoding; readonly newId: () => FileId },
): ThawedDraft {
  const json: unknown = JSON.parse(encoding.text(bytes));
  const files: { id: FileId; name: string; data: Uint8Array }[] = [];
  const losses: Loss[] = [];
  const keep = (data: string | undefined, name: string): FileId | null => {
    if (data === undefined) {
      losses.push({ code: 'files', about: name });
      return null;
    }
    const id = newId();
    files.push({ id, name, data: encoding.bytes(data) });
    return id;
  };
  if (api === 'v1') {
    const { tags = {}, attachments, ...rest } = CreateBodyV1.parse(json);
    const own = Object.entries(tags).filter(([key]) => !OWN_TAG.test(key));
    const listed = attachments.flatMap(({ data, ...one }) => {
      if (one.type === 'TOKEN') return [one];
      const file = keep(data, one.name ?? '');
      const fields = one.fields?.map((field) => ({ ...field, value: toStoredValue(field.value) }));
      return file === null ? [] : [{ ...one, file, ...(fields !== undefined && { fields }) }];
    });
    const body = {
      ...rest,
      attachments: listed,
      ...(own.length > 0 && { tags: Object.fromEntries(own) }),
    };
    return { content: { api, body }, files, losses };
  }
  const { attachments, ...rest } = CreateBodyV2.parse(json);
  const listed = attachments?.flatMap(({ data, name = '' }) => {
    const file = keep(data, name);
    return file === null ? [] : [{ name, file }];
  });
  const { dynamicPdf } = rest;
  const values = dynamicPdf?.fields.map(({ name, value }) => ({
    name,
    value: toStoredValue(value),
  }));
  const body = {
    ...rest,
    ...(dynamicPdf !== undefined && { dynamicPdf: { ...dynamicPdf, fields: values ?? [] } }),
    ...(listed !== undefined && { attachments: listed }),
  };
  return { content: { api, body }, files, losses };
}
