import { readBounces } from '../../shared/rules/corrections/bounces.ts';
import { type CorrectionList, readCorrections } from '../../shared/rules/corrections/list.ts';
import type { FileResult, Reading } from './verdicts.ts';

/** Whether a file that could be a sheet is a mail service's list of bounced messages. */
export function isBounceList(data: Uint8Array): boolean {
  return readBounces(textOf(data)) !== null;
}

/** Reads a list of addresses or bounces, and looks for each address at its reported line. */
export function readList(data: Uint8Array): Reading | FileResult {
  const text = textOf(data);
  const list = readCorrections(text);
  const [first] = list.refused;
  if (list.corrections.length === 0) {
    return { verdict: 'refused', why: `${first?.problem ?? 'empty'}: nothing else is in it` };
  }
  return { judge: async () => compareCorrections(text, list) };
}

function compareCorrections(text: string, { corrections, refused }: CorrectionList): FileResult {
  const lines = text.split(/\r\n|\r|\n/);
  // A folded header, or a cell of several lines, continues on the next lines.
  const around = (line: number) => lines.slice(line - 1, line + 4).join(' ');
  const foreign = corrections.filter(
    ({ line, from, to }) =>
      !around(line).includes(from) || (to !== null && !around(line).includes(to)),
  );
  if (foreign.length > 0) {
    return { verdict: 'wrong', why: `${foreign.length} that are not in the lines they name` };
  }
  return refused.length > 0
    ? { verdict: 'marked', why: [...new Set(refused.map(({ problem }) => problem))].join(', ') }
    : { verdict: 'same', why: '' };
}

function textOf(data: Uint8Array): string {
  if (data[0] === 0xff && data[1] === 0xfe) return new TextDecoder('utf-16le').decode(data);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data);
  } catch {
    return new TextDecoder('windows-1252').decode(data);
  }
}
