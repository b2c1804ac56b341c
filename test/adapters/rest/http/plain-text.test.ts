import { afterEach, expect, it } from 'vitest';
import type { FaultAction } from '../../../../electron/demo/server/faults.ts';
import { startDemo, type Demo } from '../../../../electron/demo/start.ts';
import { REF, failureOf, id, neverStops, openV1, openV2 } from '../desk.ts';
import { draftV1, draftV2, onePage } from '../drafts.ts';
import { sendV1 } from '../sent.ts';

const CREATE = { method: 'POST', path: /\/agreements$/ } as const;
let demo: Demo;

afterEach(() => demo.close());

async function say(status: number, contentType: string, body: string): Promise<FaultAction> {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
  return { kind: 'status', status, contentType, body };
}

async function createBoth() {
  const results = [];
  for (const [service, draft] of [
    [openV1(demo.v1Url), draftV1()],
    [openV2(demo.v2Url), draftV2()],
  ] as const) {
    const body = service.encodeCreate(draft, await onePage(), REF);
    results.push(await service.create(body, neverStops));
  }
  return results;
}

it.each(['text/plain; charset=utf-8', ''])(
  'a 422 in plain text of type %j rejects a create request, and its text is stored masked (FE-D4)',
  async (type) => {
    const body = 'expireOn must be in the future, says bo@example.com';
    const action = await say(422, type, body);
    demo.fault({ ...CREATE, times: 2, do: action });
    for (const result of await createBoth()) {
      expect(result).toMatchObject({ kind: 'refused', failure: { code: 'invalid' } });
      const said = result.kind === 'refused' ? result.failure.said : '';
      expect(said).toMatch(/^expireOn must be in the future, says /);
      expect(said).not.toContain('example.com');
    }
  },
);

it.each([
  { status: 400, type: 'text/plain', body: 'Bad Request' },
  { status: 403, type: 'text/plain', body: 'error code: 1020' },
  { status: 404, type: 'text/plain', body: '404 page not found' },
  { status: 413, type: 'text/plain', body: 'Payload Too Large' },
  { status: 422, type: 'text/html', body: '<title>Blocked</title>' },
])(
  'an answer $status of type $type, perhaps of a gateway, leaves a create request of unknown outcome, with its text (FE-D4)',
  async ({ status, type, body }) => {
    const action = await say(status, type, body);
    demo.fault({ ...CREATE, times: 2, do: action });
    for (const result of await createBoth()) {
      expect(result.kind).toBe('unknown');
      const said = result.kind === 'unknown' ? result.failure.said : '';
      expect(said).toBe(type === 'text/html' ? 'Blocked' : body);
    }
  },
);

it('a 404 in plain text for one agreement is accepted if the list can be read (FE-D3)', async () => {
  const action = await say(404, 'text/plain', 'not found');
  const { id: sent } = await sendV1(demo);
  const service = openV1(demo.v1Url);
  demo.fault({ path: /agreements\/[^/?]+/, times: 1, do: action });
  expect(await failureOf(service.read(id(sent), neverStops))).toMatchObject({
    code: 'not-found',
    said: 'not found',
  });
  demo.fault({ path: /agreements\/[^/?]+\/download/, times: 1, do: action });
  expect(await failureOf(service.download(id(sent), neverStops))).toMatchObject({
    code: 'not-found',
  });
});

it('a 404 in plain text for every request is reported as a gateway that cannot reach the service (FE-D3)', async () => {
  const action = await say(404, 'text/plain', '404 page not found');
  const { id: sent } = await sendV1(demo);
  demo.fault({ path: /agreements/, times: 9, do: action });
  expect(await failureOf(openV1(demo.v1Url).read(id(sent), neverStops))).toMatchObject({
    code: 'service',
    reason: 'not-json',
  });
});
