import { cleanText } from './clean-text.ts';
import { STOCKHOLM, utcOf, wallTime } from './days.ts';
import { fine, suspicious, type Verdict, wrong } from './verdict.ts';

/** The zones of the countries whose identities both services know, offered first. */
export const firstZones = [STOCKHOLM, 'Europe/Helsinki', 'Europe/Oslo', 'Europe/Copenhagen'];

const UTC = 'UTC';

/** The readings of "zone CET" (API v2): Swedish time, the strict meaning, and what servers run in. */
export const serverClocks = [STOCKHOLM, '+01:00', UTC] as const;
export type ServerClock = (typeof serverClocks)[number];

const ZONE = /^[A-Z][\w+-]*(?:\/[A-Z0-9][\w+-]*)*$/;
const V2_TEXT = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/;
/** Zones differ by quarters of an hour; half of one is room for a slow answer and a wrong clock. */
const ROOM = 7.5 * 60_000;

/** Every zone to choose from, the likely ones first. `Intl` leaves UTC out of its own list. */
export function zoneNames(): readonly string[] {
  const first = [...firstZones, UTC];
  return [...first, ...Intl.supportedValuesOf('timeZone').filter((zone) => !first.includes(zone))];
}

/**
 * A time zone by its IANA name (API v1, "Time zone"). Names without a place (`CET`, `EST`) are a
 * doubt, since programs differ in what they mean; offsets are no names.
 */
export function judgeZone(text: string): Verdict {
  const value = cleanText(text);
  if (value === '') return wrong(value, 'empty');
  const known = canonicalZone(value);
  if (known === null) return wrong(value, 'unknown');
  // Names are spelled exactly on servers; `Intl` is the only one to forgive another case.
  const spelled = known.toLowerCase() === value.toLowerCase() ? known : value;
  if (!ZONE.test(spelled)) return wrong(value, 'unknown');
  return spelled.includes('/') || spelled === UTC
    ? fine(spelled)
    : suspicious(spelled, 'zone-without-place');
}

/**
 * Which clocks show a v2 text that the service wrote at `at` (epoch milliseconds, by its own
 * `Date` header), to a quarter of an hour. In winter two of the three agree.
 */
export function fittingClocks(text: string, at: number): readonly ServerClock[] {
  const written = numbersIn(text);
  if (written === null) return [];
  return serverClocks.filter((clock) => {
    const shown = numbersIn(wallTime(at, clock));
    return shown !== null && Math.abs(shown - written) < ROOM;
  });
}

function numbersIn(text: string): number | null {
  return utcOf(V2_TEXT.exec(text)?.slice(1).map(Number) ?? []);
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
