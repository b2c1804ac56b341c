/*
 * Domain labels with characters outside ASCII, in the encoding of the domain name system (RFC
 * 3492).
 */

const ENCODED_LABEL_PREFIX = 'xn--';
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 0x80;
const LAST_CODE = 0x10ffff;
/** Maximum length of a label: DNS allows 63, and encoding time grows with the square of it. */
const MAX_ENCODED_LABEL_LENGTH = 256;
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Encodes a label (without dots) in ASCII: `xn--…`, or unchanged if it is already ASCII. */
export function encodeLabel(label: string): string {
  if (label.length > MAX_ENCODED_LABEL_LENGTH) return label;
  const codes = [...label].map((letter) => letter.codePointAt(0) ?? 0);
  const basic = codes.filter((code) => code < FIRST_CODE);
  if (basic.length === codes.length) return label;
  let output = String.fromCodePoint(...basic) + (basic.length > 0 ? '-' : '');
  let code = FIRST_CODE;
  let delta = 0;
  let bias = FIRST_BIAS;
  let handled = basic.length;
  while (handled < codes.length) {
    const floor = code;
    const next = Math.min(...codes.filter((one) => one >= floor));
    delta += (next - code) * (handled + 1);
    for (const one of codes) {
      if (one < next) delta += 1;
      if (one !== next) continue;
      output += encodeNumber(delta, bias);
      bias = adaptBias(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    code = next + 1;
  }
  return ENCODED_LABEL_PREFIX + output;
}

/** Decodes a result of `encodeLabel`; null for an invalid `xn--` label. */
export function decodeLabel(label: string): string | null {
  if (!label.startsWith(ENCODED_LABEL_PREFIX)) return label;
  if (label.length > MAX_ENCODED_LABEL_LENGTH) return null;
  const coded = label.slice(ENCODED_LABEL_PREFIX.length);
  const split = coded.lastIndexOf('-');
  const codes = [...coded.slice(0, Math.max(split, 0))].map((letter) => letter.charCodeAt(0));
  let code = FIRST_CODE;
  let place = 0;
  let bias = FIRST_BIAS;
  for (let at = split + 1; at < coded.length;) {
    const read = decodeNumber(coded, at, bias);
    if (read === null) return null;
    const length = codes.length + 1;
    bias = adaptBias(read.value, length, place === 0 && codes.length === Math.max(split, 0));
    code += Math.floor((place + read.value) / length);
    place = (place + read.value) % length;
    if (code > LAST_CODE) return null;
    codes.splice(place, 0, code);
    place += 1;
    at = read.end;
  }
  return String.fromCodePoint(...codes);
}

function encodeNumber(number: number, bias: number): string {
  let output = '';
  let rest = number;
  for (let step = BASE; ; step += BASE) {
    const threshold = thresholdAt(step, bias);
    if (rest < threshold) return output + DIGITS.charAt(rest);
    const above = rest - threshold;
    output += DIGITS.charAt(threshold + (above % (BASE - threshold)));
    rest = Math.floor(above / (BASE - threshold));
  }
}

function decodeNumber(
  text: string,
  start: number,
  bias: number,
): { readonly value: number; readonly end: number } | null {
  let value = 0;
  let weight = 1;
  for (let at = start, step = BASE; at < text.length; at += 1, step += BASE) {
    const digit = DIGITS.indexOf(text.charAt(at));
    if (digit < 0) return null;
    value += digit * weight;
    const threshold = thresholdAt(step, bias);
    if (digit < threshold) return { value, end: at + 1 };
    weight *= BASE - threshold;
  }
  return null;
}

function thresholdAt(step: number, bias: number): number {
  return Math.min(Math.max(step - bias, T_MIN), T_MAX);
}

function adaptBias(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / length);
  let bias = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; bias += BASE) {
    rest = Math.floor(rest / (BASE - T_MIN));
  }
  return bias + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
