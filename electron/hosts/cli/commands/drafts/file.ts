import path from 'node:path';
import {
  DraftBodyV1,
  DraftBodyV2,
  DraftContent,
  type DraftFile,
} from '../../../../../shared/contract/drafts.ts';
import { type ApiName, DraftId } from '../../../../../shared/model/ids.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { EXCESS_COMBINING_MARKS } from '../../../../../shared/rules/text/long-marks.ts';

const PDF_NAME_PATTERN = /\.pdf$/i;

/**
 * Reads the create body of an API, without attachment data, as a draft. Rejects keys that the API
 * does not have: they would be dropped without a message.
 * @throws AppError 'invalid' with the fields that do not fit.
 */
export function draftContent(api: ApiName, json: unknown): DraftContent {
  const body = isRecord(json) ? withDefaultLists(api, json) : json;
  const parsed =
    api === 'v1' ? DraftBodyV1.strict().safeParse(body) : DraftBodyV2.strict().safeParse(body);
  if (!parsed.success) {
    const fields = Object.fromEntries(
      parsed.error.issues.map((issue) => [issue.path.join('.') || 'body', issue.message]),
    );
    throw new AppError(
      'invalid',
      `The file is not the JSON of an agreement for API ${api}. The listed fields are wrong`,
      { fields },
    );
  }
  return DraftContent.parse({ api, body: parsed.data });
}

/** Adds the lists of the API's body that may be omitted when they are empty. */
function withDefaultLists(api: ApiName, json: Record<string, unknown>): Record<string, unknown> {
  if (api === 'v1') return { attachments: [], ...json };
  const { parties } = json;
  return isRecord(parties)
    ? { ...json, parties: { privates: [], companies: [], ...parties } }
    : json;
}

/**
 * Returns the draft's content with a new file: in the attachment that the body describes under the
 * file's name, otherwise as a further agreement document.
 */
export function withFile(
  content: DraftContent,
  file: DraftFile,
  /** Name of the file before it was converted to PDF. */
  given = file.name,
): DraftContent {
  const { id, name } = file;
  const isMeant = (one: { name?: string | undefined; file?: unknown }): boolean =>
    (one.name === name || one.name === given) && one.file === undefined;
  if (content.api === 'v2') {
    const attachments = content.body.attachments ?? [];
    const at = attachments.findIndex(isMeant);
    const entry = { ...attachments[at], name, file: id };
    return {
      api: 'v2',
      body: { ...content.body, attachments: insertOrReplace(attachments, at, entry) },
    };
  }
  const { attachments } = content.body;
  const at = attachments.findIndex(isMeant);
  const title = name.replace(PDF_NAME_PATTERN, '');
  const entry = {
    title,
    category: 'AGREEMENT' as const,
    ...attachments[at],
    type: 'BASE64' as const,
    name,
    file: id,
  };
  return {
    api: 'v1',
    body: { ...content.body, attachments: insertOrReplace(attachments, at, entry) },
  };
}

/**
 * Parses the ID of a draft.
 * @throws AppError 'not-found' if the text does not have the form of an ID.
 */
export function parseDraftId(text: string): DraftId {
  const parsed = DraftId.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new AppError('not-found', `There is no draft ${text}`);
}

/** Returns the name that the file at this path gets in an agreement. */
export function attachmentNameOf(file: string): string {
  return path.basename(file).replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFC');
}

function insertOrReplace<T>(list: readonly T[], at: number, entry: T): T[] {
  return at < 0 ? [...list, entry] : list.with(at, entry);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
