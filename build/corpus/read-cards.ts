import { isCards, readCards as cardsIn } from '../../electron/adapters/cards/read.ts';
import type { ReadCard } from '../../electron/core/people/ports.ts';
import type { FileResult, Reading } from './verdicts.ts';

const UTF16_BYTE_ORDER_MARKS = [
  { mark: [0xff, 0xfe], name: 'utf-16le' },
  { mark: [0xfe, 0xff], name: 'utf-16be' },
];

/** Reads vCards with the program, and counts cards and addresses again without the program. */
export function readCards(data: Uint8Array): Reading | FileResult {
  if (!isCards(data)) return { verdict: 'refused', why: 'no-cards: it is no file of vCards' };
  const cards = cardsIn(data);
  return { judge: async () => compareCards(decodeCharacters(data), cards) };
}

function compareCards(text: string, cards: readonly ReadCard[]): FileResult {
  const lines = text.split(/[\r\n]/).map((line) => line.trim());
  const begun = lines.filter((line) => /^BEGIN\s*:\s*VCARD$/i.test(line)).length;
  const agents = lines.filter((line) => /^(?:[\w-]+\.)?AGENT[^:]*:$/i.test(line)).length;
  if (cards.length !== begun - agents) {
    return { verdict: 'wrong', why: `${cards.length} cards, judge ${begun - agents}` };
  }
  const addresses = cards.flatMap(({ facts }) => facts?.emails ?? []);
  // Folded or encoded addresses look different in the file; all other addresses must occur in the
  // file.
  const unfolded = text.replaceAll(/\r?\n[ \t]/g, '');
  const foreign = addresses.filter(
    (address) => /^[\x21-\x7e]+$/.test(address) && !unfolded.includes(address),
  );
  const coded = /QUOTED-PRINTABLE|\\[,;:]/i.test(text);
  if (foreign.length > 0 && !coded) {
    return { verdict: 'wrong', why: `${foreign.length} addresses that are not in the file` };
  }
  const refused = cards.flatMap(({ refusal }) => refusal ?? []);
  if (refused.length === cards.length)
    return { verdict: 'refused', why: `${refused[0] ?? 'empty'}: all` };
  return refused.length > 0
    ? { verdict: 'marked', why: [...new Set(refused)].join(', ') }
    : { verdict: 'same', why: '' };
}

function decodeCharacters(data: Uint8Array): string {
  const wide = UTF16_BYTE_ORDER_MARKS.find(({ mark }) =>
    mark.every((byte, at) => data[at] === byte),
  );
  return new TextDecoder(wide?.name ?? 'utf-8').decode(data).replaceAll('\uFEFF', '');
}
