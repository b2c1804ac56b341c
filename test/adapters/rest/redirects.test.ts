import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../electron/demo/start.ts';
import { startRawServer, type RawServer } from '../../support/raw-server.ts';
import { REF, failureOf, id, neverStops, openV1, openV2, pagesOf } from './desk.ts';
import { draftV1, draftV2, onePage } from './drafts.ts';

let demo: Demo;
let other: RawServer;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none' });
  other = await startRawServer(() => 'reset');
});
afterAll(async () => {
  await demo.close();
  await other.close();
});

const port = () => String(other.port);
const cases: readonly (readonly [string, number, () => string])[] = [
  ['301 to another port', 301, () => `http://127.0.0.1:${port()}/`],
  ['302 to another port', 302, () => `http://127.0.0.1:${port()}/`],
  ['303 to another port', 303, () => `http://127.0.0.1:${port()}/`],
  ['307 to another port', 307, () => `http://127.0.0.1:${port()}/`],
  ['308 to another port', 308, () => `http://127.0.0.1:${port()}/`],
  ['another host', 302, () => `http://localhost:${port()}/`],
  ['a subdomain', 307, () => `http://sub.localhost:${port()}/`],
  ['https', 302, () => `https://127.0.0.1:${port()}/`],
  ['an address with a user', 302, () => `http://u:p@127.0.0.1:${port()}/`],
  ['the same scheme', 302, () => `//127.0.0.1:${port()}/`],
  ['a place beside it', 307, () => '/api/v1/elsewhere'],
  ['itself, for ever', 308, () => '/api/v1/agreements'],
];

describe('a redirect', () => {
  it.each(cases)('to %s is not followed, and no credential leaves (T2-07)', async (...given) => {
    const [, status, location] = given;
    const everywhere = demo.fault({
      path: /./,
      times: 99,
      do: { kind: 'redirect', status, location: location() },
    });
    const v1 = openV1(demo.v1Url);
    const v2 = openV2(demo.v2Url);
    const files = await onePage();
    for (const call of [
      pagesOf(v1),
      pagesOf(v2),
      v1.read(id('x'), neverStops),
      v2.download(id('x'), neverStops),
    ]) {
      expect(await failureOf(call)).toMatchObject({ code: 'service', reason: 'redirected' });
    }
    for (const result of [
      await v1.create(v1.encodeCreate(draftV1(), files, REF), neverStops),
      await v2.create(v2.encodeCreate(draftV2(), files, REF), neverStops),
    ]) {
      expect(result).toMatchObject({ kind: 'unknown', failure: { reason: 'redirected' } });
    }
    everywhere.clear();
    expect(everywhere.hits()).toBe(6);
    expect(other.received).toEqual([]);
  });
});
