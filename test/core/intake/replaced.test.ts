import { createHash } from 'node:crypto';
import { existsSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FolderEntry } from '../../../electron/core/intake/ports.ts';
import { titleOf } from '../../../shared/rules/drafts/check.ts';
import type { World } from '../../support/fakes/memory-desk.ts';
import { pdf, watchedFolder } from './watched-folder.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/** Replaces a file by another one of the same name and this time, as a restarted scanner does. */
function replaceFile(
  folder: string,
  name: string,
  content: string | Uint8Array,
  changedAt: number,
): void {
  const draft = path.join(folder, '.next');
  writeFileSync(draft, content);
  const when = new Date(changedAt);
  utimesSync(draft, when, when);
  renameSync(draft, path.join(folder, name));
}

type Change = (folder: string, seen: FolderEntry) => void;

/** Makes `change` run after a file was read, while its PDF is checked. */
const afterReading = (change: Change) => (world: World) => {
  let isDone = false;
  const watched: World['watched'] = {
    ...world.watched,
    async read(folder, seen) {
      const bytes = await world.watched.read(folder, seen);
      if (!isDone) change(folder, seen);
      isDone = true;
      return bytes;
    },
  };
  return { watched };
};

describe('a file replaced while its predecessor is imported', () => {
  const second = pdf('B');
  const ways: readonly (readonly [string, Change])[] = [
    [
      'by a file with another time',
      (folder, { name, changedAt }) => replaceFile(folder, name, second, changedAt + 5),
    ],
    [
      'by a file of the same size and time',
      (folder, { name, changedAt }) => replaceFile(folder, name, second, changedAt),
    ],
    [
      'by new content in the same file, with the time of the old content',
      (folder, { name, changedAt }) => {
        writeFileSync(path.join(folder, name), second);
        utimesSync(path.join(folder, name), new Date(changedAt), new Date(changedAt));
      },
    ],
  ];
  it.each(ways)(
    'is not moved to done unread, is counted, and is imported next: %s (DL-B3)',
    async (_, change) => {
      using place = watchedFolder(afterReading(change));
      place.put('scan.pdf', pdf('A'));
      expect(await place.take()).toMatchObject({ drafts: 1, replaced: 1, refused: 0 });
      expect([place.names(), place.text('scan.pdf')]).toEqual([['scan.pdf'], second]);
      expect(await place.take()).toMatchObject({ drafts: 1, replaced: 0 });
      expect(place.names('done')).toEqual(['scan.pdf']);
      expect(await place.drafts()).toHaveLength(2);
    },
  );

  it('keeps the sidecar file of its predecessor for its own import (DL-B3)', async () => {
    let isDone = false;
    using place = watchedFolder((world) => ({
      watched: {
        ...world.watched,
        async read(folder, seen) {
          const bytes = await world.watched.read(folder, seen);
          if (seen.name === 'a.pdf' && !isDone) {
            isDone = true;
            replaceFile(folder, 'a.pdf', second, seen.changedAt + 5);
          }
          return bytes;
        },
      },
    }));
    place.put('a.json', '{"title":"A"}');
    place.put('a.pdf', pdf('A'));
    expect(await place.take()).toMatchObject({ drafts: 1, replaced: 1 });
    expect([place.names(), place.names('done')]).toEqual([['a.json', 'a.pdf'], []]);
    expect(await place.take()).toMatchObject({ drafts: 1, replaced: 0 });
    expect(place.names('done')).toEqual(['a.json', 'a.pdf']);
    expect((await place.drafts()).map(({ content }) => titleOf(content))).toEqual(['A', 'A']);
  });

  it('is not moved to refused because of its predecessor, and no note is written (DL-B3)', async () => {
    using place = watchedFolder(
      afterReading((folder, { name, changedAt }) => replaceFile(folder, name, second, changedAt)),
    );
    place.put('scan.pdf', 'not PDF 01', DAY);
    expect(await place.take()).toMatchObject({ drafts: 0, replaced: 1, refused: 0, refusals: [] });
    expect(place.names()).toEqual(['scan.pdf']);
    expect(place.names('refused')).toEqual([]);
    expect(await place.take()).toMatchObject({ drafts: 1, refused: 0 });
  });

  it('is not moved when the program never reads files of its type (DL-B3)', async () => {
    let isFirst = true;
    using place = watchedFolder((world) => ({
      watched: {
        ...world.watched,
        move(folder, file, ...more) {
          if (isFirst) replaceFile(folder, file.entry.name, 'two', file.entry.changedAt);
          isFirst = false;
          return world.watched.move(folder, file, ...more);
        },
      },
    }));
    place.put('letter.docx', 'one');
    expect(await place.take()).toMatchObject({ refused: 0, replaced: 1 });
    expect(place.text('letter.docx')).toBe('two');
    expect(await place.take()).toMatchObject({ refused: 1, replaced: 0 });
    expect(place.text('refused', 'letter.docx')).toBe('two');
  });

  it('keeps its sidecar file when that was replaced too (DL-B3)', async () => {
    using place = watchedFolder((world) => ({
      watched: {
        ...world.watched,
        async read(folder, seen) {
          const bytes = await world.watched.read(folder, seen);
          // The PDF is read last: afterwards, both files are those of the next letter.
          if (seen.name === 'a.pdf') replaceFile(folder, 'a.json', '{"title":"B"}', seen.changedAt);
          return bytes;
        },
      },
    }));
    place.put('a.pdf', pdf('A'));
    place.put('a.json', '{"title":"A"}');
    expect(await place.take()).toMatchObject({ drafts: 1, replaced: 1 });
    expect(place.names('done')).toEqual(['a.pdf']);
    expect(place.text('a.json')).toBe('{"title":"B"}');
  });

  it('is put back with a number in its name when a third file has its old name (DL-B3)', async () => {
    using place = watchedFolder();
    place.put('scan.pdf', pdf('A'));
    const { watched } = place.world;
    const [seen] = await watched.list(place.folder);
    if (seen === undefined) throw new Error('The file is not listed');
    // The second file is large, so that the third one arrives while its bytes are compared.
    const second = Buffer.alloc(64 * 1024 * 1024, 'b');
    const entry = { ...seen, bytes: second.length };
    replaceFile(place.folder, 'scan.pdf', second, entry.changedAt);
    const moving = watched.move(place.folder, { entry, sha256: '0'.repeat(64) }, 'done', null);
    while (existsSync(place.at('scan.pdf'))) await setImmediate();
    writeFileSync(place.at('scan.pdf'), 'third');
    expect(await moving).toBe('replaced');
    expect(place.names()).toEqual(['scan (2).pdf', 'scan.pdf']);
    expect([place.names('done'), place.text('scan.pdf')]).toEqual([[], 'third']);
    expect(statSync(place.at('scan (2).pdf')).size).toBe(second.length);
  });

  it('is put back, and not read, when a link to another file has taken its place', async () => {
    using place = watchedFolder();
    const content = pdf('A');
    const outside = path.join(place.base, 'outside.pdf');
    writeFileSync(outside, content);
    symlinkSync(outside, place.at('scan.pdf'));
    const { watched } = place.world;
    const [entry] = await watched.list(place.folder);
    if (entry === undefined) throw new Error('The link is not listed');
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(await watched.move(place.folder, { entry, sha256 }, 'done', null)).toBe('replaced');
    expect([place.names(), place.names('done')]).toEqual([['scan.pdf'], []]);
  });

  it('counts as known when it arrives again after another file took its name (DL-B3)', async () => {
    using place = watchedFolder(
      afterReading((folder, { name, changedAt }) => replaceFile(folder, name, second, changedAt)),
    );
    place.put('scan.pdf', pdf('A'));
    await place.take();
    await place.take();
    place.put('again.pdf', pdf('A'));
    expect(await place.take()).toMatchObject({ drafts: 0, again: 1 });
  });
});
