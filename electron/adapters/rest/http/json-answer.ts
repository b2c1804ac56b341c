import type * as z from 'zod';
import { AppError } from '../../../../shared/errors.ts';
import { headOf } from '../../../../shared/rules/text/head-of-text.ts';
import type { Clock } from '../../../core/ports.ts';
import { DAY, SECOND } from '../../../../shared/rules/time/units.ts';
import { parseDate, type Answer } from './answer.ts';
import { readErrorBody, type ErrorBody } from './error-body.ts';
import {
  answerFailureError,
  cutAnswerError,
  replyMismatchError,
  notJsonError,
  answerTooLargeError,
} from './failures.ts';
import type { Redact } from './redact.ts';

/** Maximum number of schema issues: all of 1,000 agreements may have the same fault. */
const MAX_ISSUES = 1000;
/**
 * Maximum number of values in an answer. A page of 100 complete agreements has about 10,000, and
 * each value may cause a schema issue.
 */
const MAX_VALUES = 500_000;
/** Maximum retry delay (ms), even if the service requests a longer one. */
const MAX_RETRY_AFTER_MS = 365 * DAY;
/** Maximum length of a path in an error; keys of an answer are untrusted text too. */
const MAX_PLACE_LENGTH = 100;
const JSON_TYPE = /[/+]json\b/;

/**
 * Parses the JSON of an answer.
 * @throws AppError 'service': 'not-json', 'cut-answer', 'too-large', or 'answer-mismatch' with the
 * path
 */
export function parseReply<Reply>(
  route: string,
  schema: z.ZodType<Reply>,
  type: string,
  text: string,
): Reply {
  if (!JSON_TYPE.test(type)) throw notJsonError(route, kindOf(type));
  const value = parseJson(route, text);
  if (hasMoreValues(value, MAX_VALUES)) throw answerTooLargeError(route);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const places = result.error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path }) => headOf(path.map(String).join('.'), MAX_PLACE_LENGTH) || 'its root');
  throw replyMismatchError(route, `at ${[...new Set(places)].slice(0, 3).join(', ')}`);
}

export interface ReadRefusal {
  readonly status: number;
  readonly body: ErrorBody;
  readonly failure: AppError;
}

export async function readRefusal(
  route: string,
  answer: Answer,
  { redact, clock }: { redact: Redact; clock: Clock },
): Promise<ReadRefusal> {
  const body = readErrorBody(answer.type, await answer.text({ strictness: 'lenient' }), redact);
  const retryAt = parseRetryAfter(answer.header('retry-after'), clock.now());
  const failure = answerFailureError(route, answer.status, body, retryAt);
  return { status: answer.status, body, failure };
}

/**
 * Returns the time in `Retry-After` (RFC 9110, 10.2.3), seconds or a date, as epoch milliseconds;
 * null if it is neither.
 * @internal
 */
export function parseRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  const at = /^\s*\d+\s*$/.test(text) ? now + Number(text) * SECOND : parseDate(text);
  return at === null ? null : Math.min(at, now + MAX_RETRY_AFTER_MS);
}

/** Whether arrays and objects contain more than `most` values, at any depth. */
function hasMoreValues(value: unknown, most: number): boolean {
  let left = most;
  const open: unknown[] = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const inside: readonly unknown[] = Array.isArray(one) ? one : Object.values(one);
    left -= inside.length;
    if (left < 0) return true;
    for (const next of inside) if (typeof next === 'object' && next !== null) open.push(next);
  }
  return false;
}

function parseJson(route: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw /^\s*[[{]/.test(text) || text === ''
      ? cutAnswerError(route)
      : notJsonError(route, 'other text');
  }
}

function kindOf(type: string): string {
  const name = /^[a-z0-9.+-]+\/[a-z0-9.+-]+/.exec(type)?.[0];
  return name ?? 'no content type';
}
