import * as z from 'zod';
import {
  hasUniqueFileIds,
  DraftBodyV1,
  DraftBodyV2,
  type DraftContent,
} from '../../contract/drafts.ts';
import { FileId, Instant } from '../../model/ids.ts';
import { AppError } from '../../errors.ts';

const DRAFT_FILE_FORMAT = 'signing-desk-draft';
const DRAFT_FILE_VERSION = 1;

const PackedFile = z.strictObject({
  id: FileId,
  name: z.string().min(1).max(255),
  sha256: z.string().regex(/^[\da-f]{64}$/),
  modifiedAt: Instant.nullable(),
  /** Content of the file in base64. */
  data: z.string(),
});
export type PackedFile = z.infer<typeof PackedFile>;

const DraftFileHead = z.object({
  format: z.literal(DRAFT_FILE_FORMAT),
  version: z.number().int().min(1),
});
const draftFileFields = {
  format: z.literal(DRAFT_FILE_FORMAT),
  version: z.literal(DRAFT_FILE_VERSION),
  files: z.array(PackedFile).max(100).refine(hasUniqueFileIds),
};
const DraftFileContent = z.discriminatedUnion('api', [
  z.strictObject({ ...draftFileFields, api: z.literal('v1'), body: DraftBodyV1 }),
  z.strictObject({ ...draftFileFields, api: z.literal('v2'), body: DraftBodyV2 }),
]);

/** Content of a draft file: the body in the API's format, and its files. */
export interface PackedDraft {
  readonly content: DraftContent;
  readonly files: readonly PackedFile[];
}

/** Returns the text of a draft file, without any data of this computer. */
export function formatDraftFile({ content, files }: PackedDraft): string {
  const { api, body } = content;
  return `${JSON.stringify({ format: DRAFT_FILE_FORMAT, version: DRAFT_FILE_VERSION, api, body, files }, null, 1)}\n`;
}

/**
 * Parses a draft file. Rejects unknown data, because it would be lost.
 * @throws AppError 'invalid' with 'not-a-draft', or 'newer-data'
 */
export function parseDraftFile(text: string): PackedDraft {
  const json = parseJson(text);
  const head = DraftFileHead.safeParse(json);
  if (!head.success) throw notADraftError('This file is not a Signing Desk draft');
  if (head.data.version > DRAFT_FILE_VERSION) {
    throw new AppError(
      'newer-data',
      'The draft was made by a newer version of this program. Install that version',
    );
  }
  const parsed = DraftFileContent.safeParse(json);
  if (!parsed.success) {
    const places = parsed.error.issues.map(({ path }) => path.join('.') || 'file');
    throw notADraftError(
      `The draft cannot be read at ${[...new Set(places)].slice(0, 5).join(', ')}`,
    );
  }
  const { api, body, files } = parsed.data;
  if (!isDeepEqual(json, parsed.data)) throw notADraftError('The draft has unknown entries');
  const content: DraftContent = api === 'v1' ? { api, body } : { api, body };
  return { content, files };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notADraftError('This file is not a Signing Desk draft');
  }
}

/** Whether two values are equal, ignoring the order of keys: if so, parsing dropped nothing. */
function isDeepEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return (
      one.length === other.length && one.every((item, index) => isDeepEqual(item, other[index]))
    );
  }
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isDeepEqual(one[key], other[key]))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function notADraftError(message: string): AppError {
  return new AppError('invalid', message, { reason: 'not-a-draft' });
}
