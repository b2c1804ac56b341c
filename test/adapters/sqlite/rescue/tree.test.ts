import { describe, expect, it } from 'vitest';
import { USABLE_PAGE_BYTES } from '../../../../electron/adapters/sqlite/rescue/page-cipher.ts';
import type { Pages } from '../../../../electron/adapters/sqlite/rescue/pages.ts';
import { btreePageKinds } from '../../../../electron/adapters/sqlite/rescue/records.ts';
import { Trees } from '../../../../electron/adapters/sqlite/rescue/tree.ts';

type Write = (view: DataView) => void;

/** Returns pages filled by `write`. Throws if they are read too often, as in an endless loop. */
function pagesOf(count: number, write: (number: number) => Write) {
  let reads = 0;
  const pages: Pages = {
    count,
    log: { pages: 0, left: 0 },
    read(number) {
      reads += 1;
      if (reads > 100 * count) throw new Error('Read without an end');
      const page = new Uint8Array(USABLE_PAGE_BYTES);
      write(number)(new DataView(page.buffer));
      return page;
    },
    close: () => undefined,
  };
  return pages;
}

/** Writes a leaf with one row, whose content continues on page `next`. */
const longRow =
  (next: number): Write =>
  (view) => {
    view.setUint8(0, btreePageKinds.tableLeaf);
    view.setUint16(3, 1);
    const at = 100;
    view.setUint16(8, at);
    // The row has 2 to the power of 49 bytes, in SQLite's number format: seven bits per byte.
    for (let place = 0; place < 7; place += 1) view.setUint8(at + place, 0x80);
    view.setUint8(at, 0x81);
    view.setUint8(at + 7, 0);
    view.setUint8(at + 8, 1);
    const least = Math.floor(((USABLE_PAGE_BYTES - 12) * 32) / 255) - 23;
    const over = least + ((2 ** 49 - least) % (USABLE_PAGE_BYTES - 4));
    view.setUint32(at + 9 + (over <= USABLE_PAGE_BYTES - 35 ? over : least), next);
  };

describe('a page outside every tree', () => {
  it('does not cause an endless loop with a circular row (SR-R5)', () => {
    const circle: Write = (view) => view.setUint32(0, 3);
    const trees = new Trees(pagesOf(3, (number) => (number === 2 ? longRow(3) : circle)));
    const page = trees.loose(2);
    if (page === null) throw new Error('No leaf');
    expect([...trees.rowsOn(page)]).toMatchObject([{ hole: { kind: 'row' } }]);
  });

  it('does not stop the rescue if it looks like part of an index, but an entry would begin at its end', () => {
    const likeIndex: Write = (view) => {
      view.setUint8(0, btreePageKinds.indexInner);
      view.setUint16(3, 1);
      view.setUint16(12, USABLE_PAGE_BYTES - 2);
    };
    expect(new Trees(pagesOf(2, () => likeIndex)).loose(2)).toBeNull();
  });
});

describe('a tree deeper than SQLite can open', () => {
  it('loses its lower part, but does not stop the rescue (SR-R5)', () => {
    const count = 20_000;
    const inner =
      (number: number): Write =>
      (view) => {
        const head = number === 1 ? 100 : 0;
        view.setUint8(head, btreePageKinds.tableInner);
        view.setUint32(head + 8, number + 1);
      };
    const trees = new Trees(pagesOf(count, inner));
    expect([...trees.read(1, true)]).toMatchObject([{ hole: { kind: 'pages' } }]);
  });
});
