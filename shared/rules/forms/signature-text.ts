import { LONG_MARKS } from '../text/long-marks.ts';

/**
 * The text that v1 reads as "the drawn signature of the party at this place of the request goes
 * here" (API v1, "Field"). The number is the place in `parties`, from 0; not the signing order.
 */
export function signatureText(party: number): string {
  return `{{@agr.parties[${party}].signature}}`;
}

const SIGNATURE = /^\{\{@agr\.parties\[(\d+)\]\.signature\}\}$/;

/** The place of the party whose signature a text places; null for any other text. */
export function signatureOf(text: string): number | null {
  const place = SIGNATURE.exec(text)?.[1];
  return place === undefined ? null : Number(place);
}

const LIKE_SIGNATURE = /\{\{\s*@agr\./i;

/** Whether a text from a person or a sheet would be taken for a placeholder of the service. */
export function looksLikePlaceholder(text: string): boolean {
  return LIKE_SIGNATURE.test(text.replaceAll(LONG_MARKS, '').normalize('NFKC'));
}
