import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

/**
 * Text that v1 replaces with the drawn signature of a party (API v1, "Field"). `party` is the index
 * in the request's `parties`, from 0, not the signing order.
 */
export function signatureText(party: number): string {
  return `{{@agr.parties[${party}].signature}}`;
}

const SIGNATURE_TEXT_PATTERN = /^\{\{@agr\.parties\[(\d+)\]\.signature\}\}$/;

/** Index of the party whose signature replaces the text; null for any other text. */
export function signatureOf(text: string): number | null {
  const place = SIGNATURE_TEXT_PATTERN.exec(text)?.[1];
  return place === undefined ? null : Number(place);
}

const PLACEHOLDER_LIKE_PATTERN = /\{\{\s*@agr\./i;

/** Whether the service would read a text of a user or spreadsheet as its own placeholder. */
export function looksLikePlaceholder(text: string): boolean {
  return PLACEHOLDER_LIKE_PATTERN.test(
    text.replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFKC'),
  );
}
