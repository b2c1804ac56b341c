import { hasLineBreak, cleanText } from '../text/clean-text.ts';
import { decodeLabel, encodeLabel } from './punycode.ts';
import {
  validResult,
  suspiciousResult,
  type ValidationResult,
  type ValidationReason,
  invalidResult,
} from '../text/verdict.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

/*
 * Both services accept `<local>@<domain>.<tld>` without further checks, and silently lose messages
 * that cannot be delivered. These checks are stricter: RFC 5321 for lengths, RFC 5322 for the plain
 * local part (the quoted form is valid, but a mistake in practice), RFC 1035 and RFC 5891 for the
 * domain.
 */

const MAX_ADDRESS_LENGTH = 254;
const MAX_LOCAL_PART_LENGTH = 64;
const MAX_DOMAIN_LABEL_LENGTH = 63;
const LOCAL_PART_PATTERN = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const LOCAL_PART_ANY_SCRIPT_PATTERN =
  /^[\p{L}\p{M}\p{N}_!#$%&'*+/=?^`{|}~-]+(?:\.[\p{L}\p{M}\p{N}_!#$%&'*+/=?^`{|}~-]+)*$/u;
const DOMAIN_LABEL_PATTERN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const DOMAIN_LABEL_ANY_SCRIPT_PATTERN = /^[\p{L}\p{M}\p{N}-]+$/u;
const TOP_LEVEL_DOMAIN = /^(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;
/** Maximum length of an input, including spaces and invisible characters that pasting may add. */
const MAX_EMAIL_SCAN_LENGTH = 2048;
const LATIN_LOOKALIKE_SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
] as const;

/**
 * Validates one email address; `value` has the domain in lower case and ASCII (`xn--…`), and the
 * local part unchanged. Removes only the space around the address.
 */
export function validateEmail(text: string): ValidationResult {
  if (text.length > MAX_EMAIL_SCAN_LENGTH) return invalidResult(text, 'too-long');
  if (hasLineBreak(text.trim())) return invalidResult(text.trim(), 'line-break');
  const cleaned = cleanText(text);
  const at = cleaned.lastIndexOf('@');
  const problem = addressProblem(cleaned, at);
  if (problem !== null) return invalidResult(cleaned, problem);
  const local = cleaned.slice(0, at);
  const labels = cleaned
    .slice(at + 1)
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFKC')
    .toLowerCase()
    .split('.');
  const shown = labels.map((label) => decodeLabel(label) ?? '');
  const domainProblem = emailDomainProblem(labels, shown);
  if (domainProblem !== null) return invalidResult(cleaned, domainProblem);
  const value = `${local}@${labels.map(encodeLabel).join('.')}`;
  if (value.length > MAX_ADDRESS_LENGTH || local.length > MAX_LOCAL_PART_LENGTH)
    return invalidResult(cleaned, 'too-long');
  if (shown.some(mixesScripts)) return suspiciousResult(value, 'look-alike');
  if (!LOCAL_PART_PATTERN.test(local)) return suspiciousResult(value, 'international-name');
  return shown.some((label) => !DOMAIN_LABEL_PATTERN.test(label))
    ? suspiciousResult(value, 'international-domain')
    : validResult(value);
}

/** Formats the address with its domain in Unicode, to be shown next to the encoded form. */
export function formatEmail(address: string): string {
  const at = address.lastIndexOf('@');
  const labels = address.slice(at + 1).split('.');
  return `${address.slice(0, at)}@${labels.map((label) => decodeLabel(label) ?? label).join('.')}`;
}

/** Whether the text is an address exactly as it would be sent. */
export function isEmail(text: string): boolean {
  return cleanText(text) === text && validateEmail(text).verdict !== 'wrong';
}

function addressProblem(cleaned: string, at: number): ValidationReason | null {
  if (cleaned === '') return 'empty';
  if (/^mailto:/i.test(cleaned)) return 'mailto';
  if (/[<>]/.test(cleaned)) return 'display-name';
  if (cleaned.indexOf('@') !== at || /[;,]/.test(cleaned)) return 'several';
  if (at < 1 || !LOCAL_PART_ANY_SCRIPT_PATTERN.test(cleaned.slice(0, at))) return 'form';
  return cleaned.endsWith('.') ? 'trailing-dot' : null;
}

function emailDomainProblem(
  labels: readonly string[],
  shown: readonly string[],
): ValidationReason | null {
  const isLabel = (label: string, index: number) =>
    DOMAIN_LABEL_PATTERN.test(encodeLabel(label)) &&
    encodeLabel(label).length <= MAX_DOMAIN_LABEL_LENGTH &&
    DOMAIN_LABEL_ANY_SCRIPT_PATTERN.test(shown[index] ?? '');
  if (!labels.every(isLabel)) return 'form';
  const top = encodeLabel(labels.at(-1) ?? '');
  return labels.length < 2 || !TOP_LEVEL_DOMAIN.test(top) ? 'no-top-domain' : null;
}

/**
 * Whether a label mixes scripts: with the Cyrillic `а` in a Latin name, the domain is another than
 * the visible one.
 */
function mixesScripts(label: string): boolean {
  return LATIN_LOOKALIKE_SCRIPTS.filter((script) => script.test(label)).length > 1;
}
