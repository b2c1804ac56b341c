import type { Place } from '../server/body.ts';
import { isEmail, isE164, isHttpUrl, isTimeZone } from '../server/formats.ts';
import { DAY, parseCompactStamp } from '../server/stamps.ts';
import type { Store } from '../state/store.ts';

/** Data of the whole create request, which the readers of its parts need. */
export interface Draft {
  readonly store: Store;
  readonly now: number;
  readonly expireOn: number | null;
}

/** Reads a timestamp that must be in the future (API v1, "Agreement (request body of create)"). */
function readFutureTimestamp(place: Place, now: number): number | null {
  const at = readTimestamp(place);
  if (at !== null && at <= now) place.refuse('range', 'Must be in the future.');
  return at;
}

export function readTimestamp(place: Place): number | null {
  const text = place.text({
    form: (value) => parseCompactStamp(value) !== null,
    called: "a timestamp yyyyMMdd'T'HHmmss'Z'",
  });
  return text === null ? null : parseCompactStamp(text);
}

/**
 * Reads the two deadlines and checks their order; `kept` has the deadlines that an update does not
 * change.
 */
export function readDeadlines(
  body: Place,
  now: number,
  kept: { expireOn: number | null; deleteOn: number | null },
): { expireOn: number | null; deleteOn: number | null } {
  const expireOn = readFutureTimestamp(body.get('expireOn'), now) ?? kept.expireOn;
  const deleteOn = readFutureTimestamp(body.get('deleteOn'), now) ?? kept.deleteOn;
  if (expireOn !== null && deleteOn !== null && expireOn >= deleteOn) {
    const place = body.get(body.get('expireOn').isPresent ? 'expireOn' : 'deleteOn');
    place.refuse('conflict', 'expireOn must be before deleteOn.');
  }
  return { expireOn, deleteOn };
}

/**
 * Reads `sendExpiryReminderOn`, which must be in the future and at least one day before `expireOn`.
 */
export function readReminder(place: Place, draft: Draft): number | null {
  const at = readFutureTimestamp(place, draft.now);
  if (at === null) return null;
  if (draft.expireOn === null) {
    place.refuse('conflict', 'Needs an agreement with expireOn.');
  } else if (at > draft.expireOn - DAY) {
    place.refuse('conflict', 'Must be at least one day before expireOn.');
  }
  return at;
}

export const emailRule = { form: isEmail, called: 'an email address' } as const;
export const mobileRule = { form: isE164, called: 'an E.164 number' } as const;
export const urlRule = { form: isHttpUrl, called: 'an http or https URL' } as const;
export const timeZoneRule = { form: isTimeZone, called: 'an IANA time zone' } as const;
