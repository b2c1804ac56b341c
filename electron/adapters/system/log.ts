import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { redact } from '../../../shared/rules/text/mask.ts';
import type { Clock, Log } from '../../core/ports.ts';

const ROTATE_BYTES = 1_000_000;
/** Files kept besides `desk.log`. */
const OLDER_LOG_FILE_COUNT = 2;
/**
 * Maximum length of a value. Counts, codes and IDs are short; a longer value is a text that must
 * not be logged.
 */
const MAX_VALUE_LENGTH = 100;
const REF_BYTES = 4;
const MAX_CAUSE_DEPTH = 5;

/** Allowed fields of an event: counts, codes, and IDs of this program. */
const LOGGED_FIELDS: ReadonlySet<string> = new Set([
  'agreementId',
  'api',
  'attempt',
  'bytes',
  'code',
  'connectionId',
  'count',
  'draftId',
  'environment',
  'exitCode',
  'failed',
  'from',
  'host',
  'job',
  'jobId',
  'kind',
  'listed',
  'milliseconds',
  'outboxRef',
  'parallel',
  'platform',
  'present',
  'reason',
  'ref',
  'requests',
  'route',
  'saved',
  'schema',
  'state',
  'status',
  'store',
  'to',
  'version',
]);

type Line = Readonly<Record<string, string | number | boolean>>;

/**
 * Writes JSON lines to `<dataDir>/log/desk.log`, readable only by the owner, rotated at one
 * megabyte.
 */
export function createLog(dataDir: string, clock: Clock): Log {
  const folder = path.join(dataDir, 'log');
  const write = (line: Line): void => {
    appendLine(folder, `${JSON.stringify({ at: new Date(clock.now()).toISOString(), ...line })}\n`);
  };
  return {
    info(event, fields = {}) {
      write({ event: shortenLogValue(event), ...allowedFieldsOf(fields) });
    },
    error(error, during) {
      const ref = randomBytes(REF_BYTES).toString('hex');
      write({
        event: 'error',
        ref,
        during: shortenLogValue(during),
        stack: redact(stackOf(error)),
      });
      return ref;
    },
  };
}

function allowedFieldsOf(fields: Line): Line {
  const kept = Object.entries(fields).filter(([name]) => LOGGED_FIELDS.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, typeof value === 'string' ? shortenLogValue(value) : value]),
  );
}

function shortenLogValue(text: string): string {
  return redact(text).slice(0, MAX_VALUE_LENGTH);
}

function stackOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return `thrown: ${typeof error}`;
  const code = error instanceof AppError ? ` [${error.failure.code}]` : '';
  const stack = `${error.stack ?? error.message}${code}`;
  if (error.cause === undefined || depth === MAX_CAUSE_DEPTH) return stack;
  return `${stack}\ncaused by ${stackOf(error.cause, depth + 1)}`;
}

function appendLine(folder: string, line: string): void {
  const file = path.join(folder, 'desk.log');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size + Buffer.byteLength(line) > ROTATE_BYTES) rotateLogs(folder, file);
    appendFileSync(file, line, { mode: 0o600 });
  } catch {
    // A full disk must not stop the work that is logged; that work reports the full disk.
  }
}

function rotateLogs(folder: string, file: string): void {
  const older = (age: number): string => path.join(folder, `desk.${age}.log`);
  rmSync(older(OLDER_LOG_FILE_COUNT), { force: true });
  for (let age = OLDER_LOG_FILE_COUNT; age > 1; age -= 1) {
    if (statSync(older(age - 1), { throwIfNoEntry: false })) renameSync(older(age - 1), older(age));
  }
  renameSync(file, older(1));
}
