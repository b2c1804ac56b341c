// tier: all
import { describe, expect, it } from 'vitest';
import { readCards } from '../../electron/adapters/cards/read.ts';
import { refuseOutside } from '../../electron/adapters/documents/outside/refuse-outside.ts';
import { AppError } from '../../shared/errors.ts';

/*
 * Readers of files that others made take, for the worst that can be written into one, at most some
 * three times as long for twice the size: their work grows as the file does, and not with its square.
 */

const MEGABYTE = 1024 * 1024;
const SIZES = [1, 2, 4, 8];
/** Twice is what it should be; a busy computer and the collector of garbage do the rest. */
const MOST = 3;
/** Milliseconds of the processor that say nothing of how the work grows. */
const NOISE = 150;

const card = (lines: string): string => `BEGIN:VCARD\nVERSION:2.1\n${lines}\nEND:VCARD\n`;
const fill = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length));

type Shape = readonly [name: string, make: (size: number) => string];

const cards: readonly Shape[] = [
  ['soft lines', (size) => card(`N;ENCODING=QUOTED-PRINTABLE:${fill('=\n', size)}`)],
  ['soft lines with text', (size) => card(`N;QUOTED-PRINTABLE:${fill('=41=\n', size)}`)],
  ['folded lines', (size) => card(`N:${fill('\n a', size)}`)],
  ['folded spaces', (size) => card(`N:${fill(`\n${' '.repeat(2000)}`, size)}`)],
  ['one name', (size) => card(`N:${fill('a', size)}`)],
  ['many parts', (size) => card(`N:${fill(';', size)}`)],
  ['backslashes', (size) => card(`N:${fill('\\', size)}`)],
  ['parameters', (size) => card(`TEL${fill(';a', size)}:1`)],
  ['parameters without an end', (size) => card(`TEL${fill(';a="', size)}`)],
  ['marks of one telephone', (size) => card(`TEL;TYPE=${fill('a,', size)}:1`)],
  ['spaces', (size) => card(fill(' ', size))],
  ['telephones', (size) => card(fill('TEL:1\n', size))],
  ['cards within each other', (size) => fill('BEGIN:VCARD\nAGENT:\n', size)],
  ['cards that are cut off', (size) => fill('BEGIN:VCARD\n', size)],
  ['whole cards', (size) => fill(card('N:Berg;Anna'), size)],
  ['empty lines', (size) => card(fill('\r\n', size))],
];

const documents: readonly Shape[] = [
  ['groups', (size) => `{\\rtf1 ${fill('{}', size)}}`],
  ['groups within each other', (size) => `{\\rtf1 ${fill('{', size)}`],
  ['objects', (size) => `{\\rtf1 ${fill('{\\objdata 00}', size)}}`],
  ['objects in one group', (size) => `{\\rtf1 {${fill('\\objdata 00', size)}}}`],
  [
    'objects within each other',
    (size) => `{\\rtf1 ${fill('{\\objdata ', 50_000)}${fill('0', size)}`,
  ],
  ['instructions', (size) => `{\\rtf1 ${fill('{\\fldinst PAGE}', size)}}`],
  ['instructions in one group', (size) => `{\\rtf1 {${fill('\\fldinst PAGE', size)}}}`],
  ['instructions within each other', (size) => `{\\rtf1 ${fill('{\\fldinst ', size)}`],
  ['one instruction', (size) => `{\\rtf1 {\\fldinst ${fill('a ', size)}}}`],
  ['spaces of an instruction', (size) => `{\\rtf1 {\\fldinst ${fill(' ', size)}}}`],
  ['codes', (size) => `{\\rtf1 ${fill("\\'41\\u65?", size)}}`],
  ['one word', (size) => `{\\rtf1 \\${fill('a', size)}}`],
  ['one number', (size) => `{\\rtf1 \\a${fill('1', size)}}`],
  ['bytes', (size) => `{\\rtf1 ${fill('\\bin1 a', size)}}`],
];

function read(data: Uint8Array): void {
  try {
    refuseOutside(data, 'rtf');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** Milliseconds of the processor, the least of two. */
function taken(work: () => unknown): number {
  const once = (): number => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const first = once();
  return first < NOISE ? first : Math.min(first, once());
}

function expectLinear(make: (size: number) => string, work: (data: Uint8Array) => unknown): void {
  const times = SIZES.map((size) => {
    const data = Buffer.from(make(size * MEGABYTE));
    return taken(() => work(data));
  });
  for (const [at, time] of times.entries()) {
    const before = Math.max(times[at - 1] ?? time, NOISE);
    expect(time, `milliseconds for 1, 2, 4 and 8 MB: ${times.join(', ')}`).toBeLessThan(
      before * MOST + NOISE,
    );
  }
}

describe('twice as large a file takes about twice as long', () => {
  it.each(cards)('of cards with %s (SR-M7)', (_, make) => {
    expectLinear(make, readCards);
  });

  it.each(documents)('of RTF with %s (SR-M7)', (_, make) => {
    expectLinear(make, read);
  });
});
