import { headOf } from '../../../../shared/rules/text/head-of-text.ts';
import type { Redact } from './redact.ts';

/** Error message of a service for a request that it did not carry out. */
export interface ErrorBody {
  /**
   * Origin of the body. `api`: a JSON object, which the API itself sent, not a gateway in front of
   * the API. `text`: a short plain text, which either may have sent.
   */
  readonly from: 'api' | 'text' | 'nobody' | 'other';
  /** One redacted sentence; empty if there is none. */
  readonly message: string;
  /** Error message by field path (`parties.0.email`). */
  readonly fields: Readonly<Record<string, string>>;
}

interface FoundError {
  readonly message: string;
  readonly fields: ReadonlyMap<string, string>;
}

type Json = Readonly<Record<string, unknown>>;
type ErrorReader = (body: Json) => FoundError | null;

const NO_FIELDS: ReadonlyMap<string, string> = new Map();

const MAX_ERRORS = 200;
const MAX_PATH_LENGTH = 500;
/** Number of characters that are read of a gateway's page; its message is at the beginning. */
const MAX_PART_OF_PAGE = 16_384;

/**
 * Readers of the common formats, the likeliest first, since the APIs do not document all error
 * bodies.
 */
const errorReaders: readonly ErrorReader[] = [
  jsonApiError,
  nestedError,
  v2Error,
  problemDetails,
  springError,
];

export function readErrorBody(type: string, text: string, redact: Redact): ErrorBody {
  const body = parse(text);
  if (body !== null && /[/+]json\b/i.test(type)) {
    const { message, fields } = readFirstError(body);
    const redacted = [...fields].map(([path, sentence]) => [path, redact(sentence)] as const);
    return { from: 'api', message: redact(message), fields: Object.fromEntries(redacted) };
  }
  if (text.trim() === '') return { from: 'nobody', message: '', fields: {} };
  if (isSentence(type, text)) return { from: 'text', message: redact(text), fields: {} };
  return { from: 'other', message: redact(plainText(text)), fields: {} };
}

const MAX_SENTENCE_LENGTH = 2_000;

/**
 * Whether a text, complete or truncated, is plain or of undeclared type, and neither HTML nor JSON.
 */
function isSentence(type: string, text: string): boolean {
  if (type !== '' && !type.startsWith('text/plain')) return false;
  return text.length <= MAX_SENTENCE_LENGTH && !text.includes('<') && !/^\s*["[{]/.test(text);
}

function readFirstError(body: Json): FoundError {
  for (const read of errorReaders) {
    const found = read(body);
    if (found !== null) return found;
  }
  return { message: '', fields: NO_FIELDS };
}

/** Reads `{ errors: [{ title, detail, source: { pointer } }] }` (JSON:API). */
function jsonApiError({ errors }: Json): FoundError | null {
  if (!Array.isArray(errors)) return null;
  const fields = new Map<string, string>();
  const sentences = new Set<string>();
  for (const error of errors.slice(0, MAX_ERRORS).filter(isJson)) {
    const sentence = firstText(error, ['detail', 'title', 'message', 'code']);
    const source = isJson(error['source']) ? error['source'] : {};
    const path = fieldPath(firstText(source, ['pointer', 'parameter']) ?? '');
    if (sentence === null) continue;
    if (path === '') sentences.add(sentence);
    else fields.set(path, sentence);
    sentences.add(firstText(error, ['title', 'detail']) ?? sentence);
  }
  return sentences.size === 0 ? null : { message: [...sentences].join(' '), fields };
}

/** Reads `{ error: { message } }` or `{ error: 'sentence', message: … }`. */
function nestedError(body: Json): FoundError | null {
  const { error } = body;
  if (isJson(error)) return v2Error(error) ?? jsonApiError(error);
  if (typeof error !== 'string' || firstText(body, ['message']) !== null) return null;
  return { message: error, fields: NO_FIELDS };
}

/** Reads `{ code, message, fieldErrors: [{ field, message }] }` (API v2, "Error body"). */
function v2Error(body: Json): FoundError | null {
  const message = firstText(body, ['message', 'developerMessage', 'code']);
  if (message === null) return null;
  const fieldErrors = Array.isArray(body['fieldErrors']) ? body['fieldErrors'] : [];
  const fields = new Map<string, string>();
  for (const error of fieldErrors.slice(0, MAX_ERRORS).filter(isJson)) {
    const path = fieldPath(firstText(error, ['field']) ?? '');
    const sentence = firstText(error, ['message', 'developerMessage', 'code']);
    if (path !== '' && sentence !== null) fields.set(path, sentence);
  }
  return { message, fields };
}

/** Reads `{ type, title, detail }` (RFC 9457). */
function problemDetails(body: Json): FoundError | null {
  const message = firstText(body, ['detail', 'title']);
  return message === null ? null : { message, fields: NO_FIELDS };
}

/** Reads `{ timestamp, status, error, path }`, Spring's default error body. */
function springError(body: Json): FoundError | null {
  const message = firstText(body, ['error', 'reason', 'description']);
  return message === null ? null : { message, fields: NO_FIELDS };
}

/** Converts `/data/parties/0/email` and `parties[0].email` to `parties.0.email`. */
function fieldPath(place: string): string {
  const parts = headOf(place, MAX_PATH_LENGTH)
    .split(/[/.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  while (parts[0] === 'data' || parts[0] === 'attributes') parts.shift();
  return parts.join('.');
}

/**
 * Returns the title of a page, or its text without markup; reads only the beginning of the page.
 */
function plainText(text: string): string {
  const page = headOf(text, MAX_PART_OF_PAGE);
  const title = /<title\b[^<>]*>([^<]*)<\/title/i.exec(page)?.[1];
  // Each piece ends where a script or a style ends, so the last script or style that starts in the
  // piece continues to the end of the piece.
  const spoken = page
    .split(/<\/(?:script|style)\b/i)
    .map((piece) => piece.replace(/<(?:script|style)\b.*/is, ' '));
  return title ?? spoken.join('<').replaceAll(/<[^<>]*>/g, ' ');
}

function firstText(from: Json, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = Object.hasOwn(from, key) ? from[key] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return null;
}

function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
