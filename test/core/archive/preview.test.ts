import { beforeEach, describe, expect, it } from 'vitest';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { plant, signed } from '../../support/known-agreements.ts';
import { armRows } from '../../support/armed-rows.ts';
import { AgreementId } from '../../../shared/model/ids.ts';

const MANY = 30;

let desk: MemoryDesk;

beforeEach(async () => {
  desk = startMemoryDesk();
  await addConnection(desk);
  const ids = Array.from({ length: MANY }, (_, index) => `a${String(index).padStart(2, '0')}`);
  await plant(
    desk,
    ...ids.map((id, index) => signed(id, { closedAt: index + 1, tags: { unit: id } })),
  );
});

const preview = (order: object = {}) => desk.api['archive.preview']({ pattern: '{id}', ...order });

describe('the preview of a file name pattern', () => {
  it('shows the agreements that the filter selects, or all without a filter', async () => {
    expect(await preview({ filter: { tag: 'unit=a07' } })).toEqual({
      names: ['a07.pdf'],
      total: 1,
      collisions: [],
      tooLong: [],
    });
    expect(await preview()).toMatchObject({ total: MANY });
  });

  it('includes data that only the details of an agreement contain', async () => {
    const { names } = await preview({ pattern: 'Unit {tag:unit}', subfolder: '{tag:unit}' });
    expect(names[0]).toBe('a00/Unit a00.pdf');
    const inFolder = await preview({ subfolder: '{tag:unit}' });
    expect(inFolder.names[0]).toBe('a00/a00.pdf');
  });

  it('omits the name of a removed batch', async () => {
    const [connection] = desk.stores.connections.list();
    if (connection === undefined) throw new Error('There is no connection');
    const [ref] = armRows(desk, { connectionId: connection.id, rows: 1 });
    if (ref === undefined) throw new Error('There is no row');
    const bound = { to: 'sent', cause: 'reply', remoteId: AgreementId.parse('a07') } as const;
    desk.stores.outbox.move(ref, ['queued'], bound, desk.clock.now());
    const order = { pattern: 'Lease {batch} {row}', filter: { tag: 'unit=a07' } };
    expect((await preview(order)).names).toEqual(['Lease 2.pdf']);
  });

  it('shows the first five, numbered from one', async () => {
    const { names, total } = await preview({ pattern: '{counter}' });
    expect([names.length, total]).toEqual([5, MANY]);
    expect([names[0], names[4]]).toEqual(['00001.pdf', '00005.pdf']);
  });

  it('reports twenty names that several agreements would share, and twenty that are too long', async () => {
    const { collisions, tooLong } = await preview({
      pattern: 'Same',
      folder: 'f'.repeat(300),
      subfolder: 'year',
    });
    expect(collisions).toEqual(Array(20).fill('year/Same.pdf'));
    expect(tooLong).toHaveLength(20);
    expect(tooLong.slice(0, 2)).toEqual(['year/Same.pdf', 'year/Same [a01].pdf']);
  });

  it('does not report a name as taken when it exists in another folder', async () => {
    const { collisions, names } = await preview({ pattern: 'Same', subfolder: '{id}' });
    expect(collisions).toEqual([]);
    expect(names.slice(0, 2)).toEqual(['a00/Same.pdf', 'a01/Same.pdf']);
  });

  it('reports a path that Windows cannot open as too long, and no shorter one', async () => {
    const order = { filter: { tag: 'unit=a07' }, subfolder: 'year' };
    const longest = 259 - '/year/a07.pdf'.length;
    expect(await preview({ ...order, folder: 'f'.repeat(longest) })).toMatchObject({ tooLong: [] });
    expect(await preview({ ...order, folder: 'f'.repeat(longest + 1) })).toMatchObject({
      tooLong: ['year/a07.pdf'],
    });
  });
});
