import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/*
 * The two APIs write the same number differently: v1 `+46701234567`, v2 `+46 701234567`. The
 * `max` data is used because the smaller sets accept Swedish mobiles that are a digit short.
 */

/**
 * A telephone number as people write it, in E.164 (API v1, "Phone numbers"). `country` (ISO 3166-1
 * alpha-2) is assumed where the text has no country code. Null when it cannot be a number, or has
 * an extension, which no text message reaches.
 */
export function toE164(text: string, country?: string): string | null {
  return read(text, country)?.number ?? null;
}

/** The same, as `+CC XXXXXXXXXX` (API v2, "Party"). */
export function toSpacedMobile(text: string, country?: string): string | null {
  const phone = read(text, country);
  return phone === null ? null : `+${phone.countryCallingCode} ${phone.nationalNumber}`;
}

function read(text: string, country: string | undefined) {
  const assumed = country !== undefined && isSupportedCountry(country) ? country : undefined;
  const phone = parsePhoneNumberFromString(text.normalize('NFKC'), assumed);
  if (phone === undefined || phone.ext !== undefined || !phone.isPossible()) return null;
  return phone;
}
