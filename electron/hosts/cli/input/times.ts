import { InvalidArgumentError } from 'commander';

const ISO_DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;
/**
 * Pattern of ISO 8601 with a zone: without a zone, the text means another instant on another
 * computer.
 */
const TIMESTAMP_PATTERN =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Converts epoch milliseconds to ISO 8601 in UTC, the only form in which times are printed. */
export function toIsoText(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}

/** Converts epoch milliseconds to a text for users, to the minute; `-` for null. */
export function toShownTime(instant: number | null): string {
  return instant === null ? '-' : `${new Date(instant).toISOString().slice(0, 16)}Z`;
}

/** Parses `2026-11-20` as the first instant of that local day, or an instant with its zone. */
export function parseFrom(text: string): number {
  return parseInstant(text, 0);
}

/** Parses `2026-11-20` as the first instant after that local day, or an instant with its zone. */
export function parseUntil(text: string): number {
  return parseInstant(text, 1);
}

/** Parses a time of day by this computer's clock, in the form of the contract. */
export function parseTimeOfDay(text: string): string {
  if (/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)) return text;
  throw new InvalidArgumentError('Write a time of day (02:30).');
}

function parseInstant(text: string, daysOn: number): number {
  const day = ISO_DAY_PATTERN.exec(text);
  if (day !== null) {
    const [year, month, date] = day.slice(1).map(Number);
    const start = new Date(year ?? 0, (month ?? 0) - 1, date ?? 0);
    // Date reads 31 February as 3 March.
    if (start.getMonth() + 1 === month && start.getDate() === date) {
      return new Date(start.getFullYear(), start.getMonth(), start.getDate() + daysOn).getTime();
    }
  } else if (TIMESTAMP_PATTERN.test(text)) {
    const instant = Date.parse(text);
    if (!Number.isNaN(instant)) return instant;
  }
  throw new InvalidArgumentError(
    'Write a day (2026-11-20) or a time with its zone (2026-11-20T08:00Z).',
  );
}
