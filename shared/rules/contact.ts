/** One address, `<local>@<domain>.<tld>`; the services do not look closer, so this does. */
const EMAIL = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+\.[^\s@.<>,;:"()[\]\\]{2,}$/;
/** RFC 5321, the longest address a mail server must take. */
const EMAIL_LENGTH = 254;
const E164 = /^\+[1-9]\d{3,14}$/;
const SPACED_MOBILE = /^\+[1-9]\d{0,2} \d{4,12}$/;

/** ISO 3166-1 alpha-2, the 249 official codes. `Intl` knows more: `EU`, `UK`, `ZZ`. */
export const countryCodes: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR ' +
  'BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ ' +
  'EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW ' +
  'GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY ' +
  'KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV ' +
  'MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY ' +
  'QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG ' +
  'TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ' +
  'ZW'
).split(' ');

const countries = new Set(countryCodes);

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH && EMAIL.test(text) && !text.includes('..');
}

/** `+46701234567`, at most 15 digits (API v1). */
export function isE164(text: string): boolean {
  return E164.test(text);
}

/** `+46 701234567` (API v2). */
export function isSpacedMobile(text: string): boolean {
  return SPACED_MOBILE.test(text);
}

export function isCountry(text: string): boolean {
  return countries.has(text);
}
