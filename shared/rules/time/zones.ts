import { cleanText } from '../text/clean-text.ts';
import { STOCKHOLM } from './days.ts';
import { fine, suspicious, type ValidationResult, wrong } from '../text/verdict.ts';

/** Zones of the countries whose identities both services know, listed first. */
export const firstZones = [STOCKHOLM, 'Europe/Helsinki', 'Europe/Oslo', 'Europe/Copenhagen'];

const UTC = 'UTC';

const ZONE = /^[A-Z][\w+-]*(?:\/[A-Z0-9][\w+-]*)*$/;

/** All zones to choose from, likely ones first; includes UTC, which the list of `Intl` omits. */
export function zoneNames(): readonly string[] {
  const first = [...firstZones, UTC];
  return [...first, ...Intl.supportedValuesOf('timeZone').filter((zone) => !first.includes(zone))];
}

/**
 * Validates a time zone by its IANA name (API v1, "Time zone"). Names without a city (`CET`,
 * `EST`) are suspicious, because programs differ in their meaning. Offsets are wrong.
 */
export function validateZone(text: string): ValidationResult {
  const value = cleanText(text);
  if (value === '') return wrong(value, 'empty');
  const known = canonicalZone(value);
  if (known === null) return wrong(value, 'unknown');
  // Servers need the exact spelling; only `Intl` ignores case.
  const spelled = known.toLowerCase() === value.toLowerCase() ? known : value;
  if (!ZONE.test(spelled)) return wrong(value, 'unknown');
  return spelled.includes('/') || spelled === UTC
    ? fine(spelled)
    : suspicious(spelled, 'zone-without-place');
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
