const FINNISH = /^(\d{2})(\d{2})(\d{2})([-+YXWVUABCDEF])(\d{3})([0-9A-FHJ-NPR-Y])$/;
const FINNISH_LETTERS = '0123456789ABCDEFHJKLMNPRSTUVWXY';
/** Day 61–91 is a co-ordination number; 60 and month 00 stand for a date that nobody knows. */
const COORDINATION = 60;

/** What can be said of a number: `doubtful` has the right form and a wrong check digit. */
export type Judgement = 'ok' | 'doubtful' | 'wrong';

/** `YYYYMMDDXXXX` (API v1, Sweden). The API asks for the form only, so a check digit is a doubt. */
export function judgeSwedish(text: string): Judgement {
  const found = /^(18|19|20)(\d{2})(\d{2})(\d{2})(\d{4})$/.exec(text);
  if (found === null) return 'wrong';
  const [, century = '', year = '', month = '', day = ''] = found;
  if (!isSwedishDay(Number(century + year), Number(month), Number(day))) return 'wrong';
  return hasLuhnDigit(text.slice(2)) ? 'ok' : 'doubtful';
}

/** `DDMMYYCZZZQ` with every century sign in force since 2023 (API v1, Finland). */
export function judgeFinnish(text: string): Judgement {
  const found = FINNISH.exec(text);
  if (found === null) return 'wrong';
  const [, day = '', month = '', year = '', , serial = '', check = ''] = found;
  // Any leap year will do: the century sign is not decoded for a check of the form.
  if (!isDay(2000, Number(month), Number(day))) return 'wrong';
  const rest = Number(`${day}${month}${year}${serial}`) % FINNISH_LETTERS.length;
  return FINNISH_LETTERS[rest] === check ? 'ok' : 'doubtful';
}

/** One of the four forms of API v2: 12 or 10 digits, with or without a hyphen. */
export function judgePersonNo(text: string): Judgement {
  const found = /^(\d{2})?(\d{6})-?(\d{4})$/.exec(text);
  if (found === null) return 'wrong';
  const [, century, date = '', last = ''] = found;
  return judgeSwedish(`${century ?? '20'}${date}${last}`);
}

/** `XXXXXXXXXX` or `XXXXXX-XXXX` (API v2). A sole trader's is the owner's own number. */
export function judgeOrgNo(text: string): Judgement {
  if (!/^\d{6}-?\d{4}$/.test(text)) return 'wrong';
  return hasLuhnDigit(text.replace('-', '')) ? 'ok' : 'doubtful';
}

function isSwedishDay(year: number, month: number, day: number): boolean {
  if (day < COORDINATION) return isDay(year, month, day);
  return month === 0 || day === COORDINATION || isDay(year, month, day - COORDINATION);
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function hasLuhnDigit(tenDigits: string): boolean {
  const sum = [...tenDigits].reduce((total, digit, place) => {
    const weighted = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}
