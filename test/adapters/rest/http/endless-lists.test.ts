import { expect, it } from 'vitest';
import { rawAnswer, startRawServer } from '../../../support/raw-server.ts';
import { all, failureOf, openV1, openV2, pagesOf } from '../desk.ts';

const json = (value: unknown) => rawAnswer('200 OK', 'application/json', JSON.stringify(value));
const MAX_PAGES = 60;

/** Starts a service with an endless list, each page with new IDs. */
function startEndless(total: (page: number) => number, size = 100) {
  let next = 0;
  const ids = () => Array.from({ length: size }, () => `id-${String((next += 1))}`);
  return startRawServer((request) => {
    const query = new URL(request.split(' ')[1] ?? '/', 'http://x').searchParams;
    const page = Number(query.get('page[number]') ?? '1');
    if (query.has('offset')) {
      const agreements = ids().map((referenceNumber) => ({ referenceNumber, status: 'POSTED' }));
      return json({ agreements, totalCount: total(Number(query.get('offset')) / 100 + 1) });
    }
    const data = ids().map((id) => ({ id, state: 'SIGNED', title: 'x' }));
    const counts = { totalRecords: total(page), totalPages: 1e9 };
    return json({ data, meta: { pageNumber: page, pageSize: 100, ...counts } });
  });
}

it.each([
  ['v1', 'always the same total', () => 300, 'announced 300'],
  ['v1', 'a larger total on every page', (page: number) => page * 100 + 100, 'announced 200'],
  ['v1', 'an impossibly large total', () => 1e9, 'announces 1000000000'],
  ['v2', 'a larger total on every page', (page: number) => page * 100 + 100, 'announced 200'],
  ['v2', 'an impossibly large total', () => 1e9, 'announces 1000000000'],
] as const)(
  'an endless list of %s that announces %s is abandoned with a clear error (SEC-L1)',
  async (api, _, total, said) => {
    const server = await startEndless(total);
    try {
      const service = api === 'v1' ? openV1(server.origin) : openV2(`${server.origin}/v2`);
      const failure = await failureOf(pagesOf(service));
      expect(failure).toMatchObject({ code: 'service', reason: 'answer-mismatch' });
      expect(failure.message).toContain(said);
      expect(server.received.length).toBeLessThan(MAX_PAGES);
    } finally {
      await server.close();
    }
  },
);

it('a list ends with its first empty page, despite any announced total (SEC-L1)', async () => {
  const server = await startEndless(() => 300, 0);
  try {
    expect(await pagesOf(openV1(server.origin))).toHaveLength(1);
    expect(await pagesOf(openV2(`${server.origin}/v2`))).toHaveLength(1);
  } finally {
    await server.close();
  }
});

it('a list that grows while it is read is read to its end (SEC-L1)', async () => {
  let next = 0;
  const server = await startRawServer((request) => {
    const page = Number(/page%5Bnumber%5D=(\d{1,9})/.exec(request)?.[1] ?? '1');
    const data = Array.from({ length: 100 }, () => ({
      id: `id-${String((next += 1))}`,
      state: 'X',
    }));
    const meta = { pageNumber: page, pageSize: 100, totalRecords: 500 + page, totalPages: 12 };
    return json({ data, meta });
  });
  try {
    expect(await all(openV1(server.origin))).toHaveLength(1200);
  } finally {
    await server.close();
  }
});
