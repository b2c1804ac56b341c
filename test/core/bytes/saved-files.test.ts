import { describe, expect, it } from 'vitest';
import { createByteExchange } from '../../../electron/core/bytes/exchange.ts';
import { createSavedFileHandlers } from '../../../electron/core/bytes/saved-files.ts';
import {
  bytesOf,
  createCountingChance,
  createHandClock,
  createMemoryFiles,
} from '../../support/fakes/memory-ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const MEGABYTE = 1024 * 1024;
const LIFETIME = 10 * MINUTE;

const refusal = (failure: object) =>
  expect.objectContaining({ failure: expect.objectContaining(failure) });
const gone = refusal({
  code: 'not-found',
  message: 'This file is no longer available. Choose it again',
});

function start() {
  const clock = createHandClock();
  const bytes = createByteExchange(clock, createCountingChance());
  const files = createMemoryFiles();
  const { 'files.save': save } = createSavedFileHandlers({ files, bytes });
  /** Saves a file into a folder, and returns its name in the folder. */
  const named = async (fileName: string) => {
    const { file } = await save({ out: bytes.put(bytesOf('text')), folder: '/out', fileName });
    return file;
  };
  return { clock, bytes, files, named };
}

describe('a file saved for the user', () => {
  it('is saved under its name, with a number if the folder has that name', async () => {
    const { named, files } = start();
    expect(await named('Rents result.csv')).toBe('/out/Rents result.csv');
    expect(await named('rents RESULT.csv')).toBe('/out/rents RESULT (2).csv');
    expect(await named('Rents result.csv')).toBe('/out/Rents result (3).csv');
    expect([...files.saved.values()]).toEqual(Array(3).fill(Buffer.from('text')));
  });

  it('without a name is called file', async () => {
    const { named } = start();
    expect(await named('.csv')).toBe('/out/file.csv');
    expect(await named('...')).toBe('/out/file');
  });

  it('keeps a name without an extension', async () => {
    const { named } = start();
    expect(await named('Rents')).toBe('/out/Rents');
    expect(await named('Rents')).toBe('/out/Rents (2)');
  });
});

describe('downloads waiting to be fetched', () => {
  it('can be fetched again for ten minutes', () => {
    const { bytes, clock } = start();
    const id = bytes.put(bytesOf('text'));
    clock.advance(LIFETIME - 1);
    expect(bytes.take(id)).toEqual(bytesOf('text'));
    expect(bytes.take(id)).toEqual(bytesOf('text'));
    clock.advance(1);
    expect(() => bytes.take(id)).toThrow(gone);
  });

  it('are removed oldest first, only as many as new ones need', () => {
    const { bytes } = start();
    const [first, second, third] = [1, 2, 3].map(() => bytes.put(new Uint8Array(16 * MEGABYTE)));
    if (first === undefined || second === undefined || third === undefined) throw new Error('3');
    // Exactly sixteen more megabytes fit.
    const fourth = bytes.put(new Uint8Array(16 * MEGABYTE));
    expect(bytes.take(first)).toHaveLength(16 * MEGABYTE);
    bytes.put(new Uint8Array(17 * MEGABYTE));
    for (const old of [first, second]) {
      expect(() => bytes.take(old)).toThrow(gone);
    }
    for (const left of [third, fourth]) expect(bytes.take(left)).toHaveLength(16 * MEGABYTE);
  });

  it('free their memory when their time is over', () => {
    const { bytes, clock } = start();
    const id = bytes.put(new Uint8Array(40 * MEGABYTE));
    clock.advance(LIFETIME / 2);
    const later = bytes.put(new Uint8Array(20 * MEGABYTE));
    clock.advance(LIFETIME / 2);
    bytes.put(new Uint8Array(44 * MEGABYTE));
    expect(() => bytes.take(id)).toThrow(gone);
    expect(bytes.take(later)).toHaveLength(20 * MEGABYTE);
  });

  it('are accepted up to the size limit, and not beyond', () => {
    const { bytes } = start();
    expect(bytes.take(bytes.put(new Uint8Array(64 * MEGABYTE)))).toHaveLength(64 * MEGABYTE);
    const tooLarge = () => bytes.put(new Uint8Array(64 * MEGABYTE + 1));
    expect(tooLarge).toThrow(refusal({ code: 'invalid', reason: 'too-large' }));
  });
});
