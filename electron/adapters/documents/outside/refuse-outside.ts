import { documentError } from '../refuse.ts';
import { oldWordReadsOutside, rejectUnreadable } from './old-word.ts';
import { readRtf } from './rtf.ts';

/**
 * Throws 'document-outside' for a document that loads files of this computer, addresses or other
 * programs: their content would be in the PDF that is sent to the parties. Returns the compound
 * files that may contain further documents.
 */
export function rejectOutside(data: Uint8Array, kind: 'rtf' | 'doc'): readonly Uint8Array[] {
  if (kind === 'rtf') {
    const { isOutside, objects } = readRtf(data);
    rejectIfReadsOutside(isOutside);
    return objects;
  }
  rejectUnreadable(data);
  rejectIfReadsOutside(oldWordReadsOutside(data));
  return [data];
}

export function rejectIfReadsOutside(reads: boolean): void {
  if (!reads) return;
  throw documentError(
    'document-outside',
    'The document uses pictures, texts or objects from other files. Include them in the document ' +
      '(in Word: break the links), or save it as a PDF and add the PDF',
  );
}

const SEARCHED_HEAD_BYTES = 64;

/**
 * Checks a part of another document as `rejectOutside` does, if the part is Rich Text or a compound
 * file.
 */
export function rejectOutsideWithin(part: Uint8Array): void {
  const head = Buffer.from(part.subarray(0, SEARCHED_HEAD_BYTES)).toString('latin1');
  if (/^(?:\u00ef\u00bb\u00bf)?\s*\{\\rt/.test(head)) rejectOutside(part, 'rtf');
  if (head.startsWith('\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1')) {
    rejectIfReadsOutside(oldWordReadsOutside(part));
  }
}
