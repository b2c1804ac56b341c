import { cleanText } from '../text/clean-text.ts';
import {
  validResult,
  suspiciousResult,
  type ValidationResult,
  invalidResult,
} from '../text/verdict.ts';

/** The 249 official codes of ISO 3166-1 alpha-2. `Intl` also knows `EU`, `UK` and `ZZ`. */
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

/** Official code for each unofficial or longer code in common use. */
const OFFICIAL_CODE_BY_OTHER: ReadonlyMap<string, string> = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
  ['SWE', 'SE'],
  ['FIN', 'FI'],
  ['NOR', 'NO'],
  ['DNK', 'DK'],
  ['ISL', 'IS'],
  ['EST', 'EE'],
  ['LVA', 'LV'],
  ['LTU', 'LT'],
  ['POL', 'PL'],
  ['DEU', 'DE'],
  ['NLD', 'NL'],
  ['BEL', 'BE'],
  ['FRA', 'FR'],
  ['ESP', 'ES'],
  ['ITA', 'IT'],
  ['GBR', 'GB'],
  ['USA', 'US'],
]);

/** Languages of country names in spreadsheets. */
const NAME_LANGUAGES = ['sv', 'en', 'fi', 'da', 'nb', 'de'];

const officialCodes = new Set(countryCodes);
const cachedCodesByName = new Map<string, string>();

export function isCountry(text: string): boolean {
  return officialCodes.has(text);
}

/**
 * Validates a country; `value` is the code. A name in one of six languages is accepted like the
 * code. Another code (`UK`, `SWE`) is accepted with a warning. @internal
 */
export function validateCountry(text: string): ValidationResult {
  const cleaned = cleanText(text);
  const code = cleaned.toUpperCase();
  if (code === '') return invalidResult('', 'empty');
  if (isCountry(code)) return validResult(code);
  const named = codesByName().get(cleaned.toLowerCase());
  if (named !== undefined) return validResult(named);
  const meant = OFFICIAL_CODE_BY_OTHER.get(code);
  return meant === undefined
    ? invalidResult(cleaned, 'unknown')
    : suspiciousResult(meant, 'code-assumed');
}

/** Codes by country name, created on first use: six languages take some milliseconds. */
function codesByName(): ReadonlyMap<string, string> {
  if (cachedCodesByName.size > 0) return cachedCodesByName;
  for (const language of NAME_LANGUAGES) {
    const namesIn = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of countryCodes) {
      const name = namesIn.of(code);
      if (name !== undefined) cachedCodesByName.set(cleanText(name).toLowerCase(), code);
    }
  }
  return cachedCodesByName;
}
