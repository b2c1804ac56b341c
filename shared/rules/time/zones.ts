import { cleanText } from '../text/clean-text.ts';
import { STOCKHOLM } from './days.ts';
import {
  validResult,
  suspiciousResult,
  type ValidationResult,
  invalidResult,
} from '../text/verdict.ts';

/** Zones of the countries whose identities both services know, listed first. */
export const preferredZones = [STOCKHOLM, 'Europe/Helsinki', 'Europe/Oslo', 'Europe/Copenhagen'];

const UTC_ZONE = 'UTC';

const ZONE_NAME_PATTERN = /^[A-Z][\w+-]*(?:\/[A-Z0-9][\w+-]*)*$/;

/** All zones to choose from, likely ones first; includes UTC, which the list of `Intl` omits. */
export function zoneNames(): readonly string[] {
  const first = [...preferredZones, UTC_ZONE];
  return [...first, ...Intl.supportedValuesOf('timeZone').filter((zone) => !first.includes(zone))];
}

/**
 * Validates a time zone by its IANA name (API v1, "Time zone"). Names without a city (`CET`,
 * `EST`) are suspicious, because programs differ in their meaning. Offsets are wrong.
 */
export function validateZone(text: string): ValidationResult {
  const value = cleanText(text);
  if (value === '') return invalidResult(value, 'empty');
  const known = canonicalZone(value);
  if (known === null) return invalidResult(value, 'unknown');
  // Servers need the exact spelling; only `Intl` ignores case.
  const spelled = known.toLowerCase() === value.toLowerCase() ? known : value;
  if (!ZONE_NAME_PATTERN.test(spelled)) return invalidResult(value, 'unknown');
  return spelled.includes('/') || spelled === UTC_ZONE
    ? validResult(spelled)
    : suspiciousResult(spelled, 'zone-without-place');
}

function canonicalZone(name: string): string | null {
  if (/^[+-]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (cause) {
    if (cause instanceof RangeError) return null;
    throw cause;
  }
}
