import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScanPage, readWhole } from '../../../../electron/adapters/rest/both/scan.ts';
import { type Demo, startDemo } from '../../../../electron/demo/start.ts';
import type { AgreementService } from '../../../../electron/core/ports.ts';
import type { DraftContent } from '../../../../shared/contract/drafts.ts';
import { failureOf, id, neverStops, openV1, openV2, REF } from '../desk.ts';
import { draftV1, draftV2, onePage } from '../drafts.ts';
import { HOUR } from '../../../../shared/rules/time/units.ts';

/** One more than the maximum number of agreements that a scan reads singly. */
const TOO_MANY = 51;
const LISTS = /\/agreements\?/;

let demo: Demo;
let passed = 0;

beforeEach(async () => {
  const behaviour = { pageCap: 3 };
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null, behaviour });
  passed = 0;
});
afterEach(() => demo.close());

const scan = (service: AgreementService, templates: readonly string[] = []) =>
  service.scan(
    { from: Date.now() - HOUR, templates },
    () => {
      passed += 1;
    },
    neverStops,
  );

const nameOf = (index: number) => `Lease ${String(index)}`;

async function createV1(count: number): Promise<AgreementService> {
  const service = openV1(demo.v1Url);
  await createAll(
    service,
    indices(count).map((index) => draftV1({ title: nameOf(index) })),
  );
  return service;
}

async function createV2(count: number): Promise<AgreementService> {
  const service = openV2(demo.v2Url);
  await createAll(
    service,
    indices(count).map((index) => draftV2({ name: nameOf(index) })),
  );
  return service;
}

const indices = (count: number) => Array.from({ length: count }, (_, index) => index);

async function createAll(service: AgreementService, drafts: readonly DraftContent[]) {
  const files = await onePage();
  for (const draft of drafts) {
    const body = service.encodeCreate(draft, files, REF);
    expect(await service.create(body, neverStops)).toMatchObject({ kind: 'done' });
  }
}

/** Changes every list answer of the service with `change`. */
const mutate = (change: (json: Record<string, unknown>) => unknown) =>
  demo.fault({
    path: LISTS,
    times: Number.POSITIVE_INFINITY,
    do: { kind: 'mutate', change: (json) => change(json as Record<string, unknown>) },
  });

describe('a scan of a paged list', () => {
  const about = { title: '', sentAt: null, state: 'POSTED', ref: null, parties: null };

  /** Returns a service with these pages (IDs and reported total) for each reading in turn. */
  const reading = (...rounds: readonly (readonly { ids: string[]; total: number }[])[]) => {
    let round = 0;
    return readWhole(
      async function* (): AsyncGenerator<ScanPage, void> {
        const pages = rounds[Math.min(round, rounds.length - 1)] ?? [];
        round += 1;
        for (const { ids, total } of pages) {
          const seen = ids.map((text) => ({ ...about, id: id(text), fields: null }));
          yield { seen, total, serverTime: null };
        }
      },
      () => {
        passed += 1;
      },
    );
  };

  it('is inconclusive if the reported total changed, even if as many entries as last reported were read (TE-S10)', async () => {
    const moved = [
      { ids: ['1', '2'], total: 2 },
      { ids: ['3'], total: 3 },
    ];
    const { incompleteReason, seen } = await reading(moved);
    expect({ incompleteReason, seen: seen.length, passed }).toEqual({
      incompleteReason: 'unstable',
      seen: 3,
      passed: 6,
    });
  });

  it('is inconclusive if one entry was read twice and another one not at all (TE-S10)', async () => {
    const shifted = [
      { ids: ['1', '2'], total: 4 },
      { ids: ['2', '3'], total: 4 },
    ];
    expect(await reading(shifted)).toMatchObject({ incompleteReason: 'unstable' });
  });

  it('is conclusive after one complete reading (TE-S10)', async () => {
    const whole = [{ ids: ['1', '2', '3'], total: 3 }];
    expect(await reading([{ ids: ['1'], total: 3 }], whole)).toMatchObject({
      incompleteReason: null,
    });
    expect(passed).toBe(2);
  });
});

describe('a scan of v1', () => {
  it('shows every agreement of all pages once, with its mark', async () => {
    const service = await createV1(7);
    const { seen, incompleteReason, pages, serverTime } = await scan(service);
    expect({ incompleteReason, pages, passed }).toEqual({
      incompleteReason: null,
      pages: 3,
      passed: 3,
    });
    expect(new Set(seen.map(({ id }) => id)).size).toBe(7);
    expect(seen.every(({ ref }) => ref === REF)).toBe(true);
    expect(serverTime).toBeGreaterThan(0);
  });

  it('is read at most three times while the total changes, and is then inconclusive', async () => {
    const service = await createV1(2);
    let more = 0;
    mutate((json) => {
      more += 1;
      return { ...json, meta: { ...(json['meta'] as object), totalRecords: 2 + more } };
    });
    expect(await scan(service)).toMatchObject({ incompleteReason: 'unstable' });
    expect(more).toBeGreaterThanOrEqual(3);
  });

  it('is conclusive if the total is stable on a later reading', async () => {
    const service = await createV1(2);
    demo.fault({
      path: LISTS,
      do: {
        kind: 'mutate',
        change: (json) => {
          const { meta, ...rest } = json as { meta: object };
          return { ...rest, meta: { ...meta, totalRecords: 3 } };
        },
      },
    });
    const { incompleteReason, seen } = await scan(service);
    expect({ incompleteReason, seen: seen.length }).toEqual({ incompleteReason: null, seen: 2 });
  });

  it('reads each agreement singly if the list has no tags, and finds the mark', async () => {
    const service = await createV1(2);
    mutate((json) => ({
      ...json,
      data: (json['data'] as object[]).map((one) => ({ ...one, tags: null })),
    }));
    const { seen, incompleteReason } = await scan(service);
    expect(incompleteReason).toBeNull();
    expect(seen.map(({ ref }) => ref)).toEqual([REF, REF]);
  });

  it('is inconclusive if the list has no tags and too many agreements must be read singly', async () => {
    const service = await createV1(1);
    mutate((json) => {
      const [one] = json['data'] as object[];
      const data = Array.from({ length: TOO_MANY }, (_, index) => {
        return { ...one, id: `copy-${String(index)}`, tags: null };
      });
      const meta = { totalRecords: TOO_MANY, totalPages: 1, pageNumber: 1, pageSize: 100 };
      return { ...json, data, meta: { ...(json['meta'] as object), ...meta } };
    });
    expect(await scan(service)).toMatchObject({ incompleteReason: 'no-tags' });
  });

  it('recognises a tag whose key differs in upper and lower case', async () => {
    const service = await createV1(1);
    mutate((json) => ({
      ...json,
      data: (json['data'] as { tags: object }[]).map((one) => ({
        ...one,
        tags: Object.fromEntries(
          Object.entries(one.tags).map(([key, value]) => [key.toUpperCase(), value as unknown]),
        ),
      })),
    }));
    expect((await scan(service)).seen).toMatchObject([{ ref: REF }]);
  });
});

describe('a scan of v2', () => {
  it('shows every agreement once, with its name and its parties', async () => {
    const service = await createV2(7);
    const { seen, incompleteReason } = await scan(service);
    expect({ incompleteReason, passed }).toEqual({ incompleteReason: null, passed: 1 });
    expect(new Set(seen.map(({ title }) => title)).size).toBe(7);
    expect(seen.every(({ parties }) => parties?.length === 2)).toBe(true);
  });

  it.each(['UTC', '+01:00', 'Europe/Stockholm'] as const)(
    'shows a new agreement, though the service reads times as %s (TE-S11)',
    async (v2FilterZone) => {
      await demo.close();
      const behaviour = { v2FilterZone };
      demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null, behaviour });
      const from = Date.now();
      const service = await createV2(1);
      const { seen } = await service.scan({ from, templates: [] }, () => {}, neverStops);
      expect(seen.map(({ title }) => title)).toEqual([nameOf(0)]);
    },
  );

  it('reads a 404 of the API as empty, which only a control agreement can confirm', async () => {
    expect(await scan(openV2(demo.v2Url))).toMatchObject({
      seen: [],
      incompleteReason: null,
      pages: 1,
    });
  });

  it('fails after a 404 of a server that is not the service', async () => {
    const html = '<h1>Not here</h1>';
    const body = { contentType: 'text/html', body: html };
    demo.fault({ path: LISTS, times: 9, do: { kind: 'status', status: 404, ...body } });
    expect(await failureOf(scan(openV2(demo.v2Url)))).toMatchObject({ code: 'service' });
  });

  it('reports the parties of an agreement as unknown if one of them has no number', async () => {
    const service = await createV2(1);
    mutate((json) => ({
      ...json,
      agreements: (json['agreements'] as { parties: { privates: object[] } }[]).map((one) => ({
        ...one,
        parties: { ...one.parties, privates: [{ ...one.parties.privates[0], personNo: null }] },
      })),
    }));
    expect((await scan(service)).seen).toMatchObject([{ parties: null }]);
  });
});
