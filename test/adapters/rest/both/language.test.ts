import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createOpenActions,
  createOpenService,
} from '../../../../electron/adapters/rest/open-service.ts';
import { startDemo, type Demo } from '../../../../electron/demo/start.ts';
import type { Language } from '../../../../shared/model/languages.ts';
import { REF, createTestPorts, failureOf, id, neverStops } from '../desk.ts';
import { draftV2, onePage } from '../drafts.ts';

let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
});
afterAll(() => demo.close());

it('errors of v2 are requested in the current language, also after it changed (FE-D12)', async () => {
  let language: Language = 'sv';
  const ports = { ...createTestPorts(), language: () => language };
  const { accessKey, accountId } = demo.credentials;
  const url = demo.v2Url;
  const where = { api: 'v2', url, accountId, orgNo: null, environment: 'test' } as const;
  const service = createOpenService(ports)(where, accessKey);
  const actions = createOpenActions(ports)(where, accessKey);
  const missing = () => failureOf(service.read(id('000000000001'), neverStops));
  const swedish = await missing();
  language = 'en';
  const english = await missing();
  expect(swedish).toMatchObject({ code: 'not-found' });
  expect(swedish.said).not.toBe(english.said);
  const body = service.encodeCreate(draftV2({ name: '' }), await onePage(), REF);
  language = 'fr';
  await service.create(body, neverStops);
  language = 'sv';
  await actions.revoke(id('000000000001'), neverStops);
  const asked = demo.requests.slice(-4).map(({ headers }) => headers['accept-language']);
  expect(asked).toEqual(['sv', 'en', 'en', 'sv']);
});
