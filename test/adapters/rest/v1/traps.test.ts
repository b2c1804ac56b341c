import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAgreementV1 } from '../../../../electron/adapters/rest/v1/read.ts';
import { startDemo, type Demo } from '../../../../electron/demo/start.ts';
import { AgreementId } from '../../../../shared/model/ids.ts';
import { parseV1Time } from '../../../../shared/rules/time/wire-time.ts';
import { REF, actionsV1, failureOf, id, neverStops, openV1, pagesOf } from '../desk.ts';
import { draftV1, onePage } from '../drafts.ts';
import { sendV1 } from '../sent.ts';
import { MINUTE } from '../../../../shared/rules/time/units.ts';

let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'full', counterpartDelayMs: null });
});
afterAll(() => demo.close());

const titled = (title: string) =>
  id(demo.agreements.v1().find((one) => one.title === title)?.id ?? '');

describe('the fields of a v1 answer', () => {
  it('are all requested, so that none is missing (T1-19)', async () => {
    const before = demo.requests.length;
    const { id: sent } = await sendV1(demo);
    await pagesOf(openV1(demo.v1Url), Date.now() - MINUTE);
    await actionsV1(demo.v1Url).raw(sent, 'json', neverStops);
    const asked = demo.requests.slice(before).filter(({ method }) => method === 'GET');
    expect(asked.length).toBeGreaterThanOrEqual(4);
    for (const { url } of asked) {
      expect([...new URL(url, demo.v1Url).searchParams.keys()].join()).not.toMatch(
        /^fields|,fields/,
      );
    }
  });

  it.each(['id', 'state'])('are rejected if %s is missing (T1-19)', async (field) => {
    const fault = demo.fault({
      path: /agreements\?/,
      do: {
        kind: 'mutate',
        change: (json) => {
          const body = json as { data: Record<string, unknown>[] };
          delete body.data[0]?.[field];
          return body;
        },
      },
    });
    const failure = await failureOf(pagesOf(openV1(demo.v1Url)));
    fault.clear();
    expect(failure).toMatchObject({ code: 'service', reason: 'answer-mismatch' });
    expect(failure.message).toContain(`data.0.${field}`);
  });
});

describe('an agreement that a colleague shared', () => {
  it('is read, and actions of the owner are rejected with the text of the service (T1-22)', async () => {
    const shared = titled('Bergs avtal, delat för läsning');
    const { state } = await openV1(demo.v1Url).read(shared, neverStops);
    expect(state).toBe('waiting');
    const result = await actionsV1(demo.v1Url).revoke(shared, neverStops);
    expect(result).toMatchObject({
      kind: 'refused',
      failure: { code: 'forbidden', message: expect.stringContaining('lacks the right') },
    });
  });

  it('is reported as forbidden, not as missing, without the right to read (T1-22)', async () => {
    const other = titled('Bergs avtal, bara för Berg');
    const reading = openV1(demo.v1Url).read(other, neverStops);
    expect(await failureOf(reading)).toMatchObject({ code: 'forbidden' });
  });
});

describe('an agreement just sent', () => {
  it('is identified by its ID, and is read for the IDs that corrections need (T1-23, T1-25)', async () => {
    const service = openV1(demo.v1Url);
    const fault = demo.fault({
      method: 'POST',
      path: /\/agreements$/,
      do: {
        kind: 'mutate',
        change: (json) => {
          const { id: remote, title } = (json as { data: { id: string; title: string } }).data;
          return { data: { id: remote, title } };
        },
      },
    });
    const created = await service.create(
      service.encodeCreate(draftV1({ title: 'Nothing but an id' }), await onePage(), REF),
      neverStops,
    );
    fault.clear();
    const agreement = titled('Nothing but an id');
    expect(created).toMatchObject({ kind: 'done', remoteId: agreement });
    const { parties } = await service.read(agreement, neverStops);
    expect(parties?.find(({ kind }) => kind === 'my-company')?.apiSigning).toEqual(
      expect.any(String),
    );
    const extras = await actionsV1(demo.v1Url).extras(agreement, neverStops);
    expect(extras.parties.map((party) => party.id)).toEqual(parties?.map((party) => party.id));
    const notifications = extras.parties.flatMap((party) => party.notifications ?? []);
    expect(notifications.length).toBeGreaterThan(0);
    expect(notifications.every((one) => one.id !== null && one.id !== '')).toBe(true);
  });
});

it('an imported agreement has no sending time, but a time for sorting (T1-28)', () => {
  const imported = { id: AgreementId.parse('a'), state: 'SIGNED_BY_ALL', title: 'Old lease' };
  const importedOn = '20240501T080000Z';
  expect(readAgreementV1({ ...imported, importedOn }, null)).toMatchObject({
    sentAt: null,
    closedAt: null,
    updatedAt: parseV1Time(importedOn),
    timeline: [{ what: 'imported' }],
  });
  expect(readAgreementV1(imported, null)).toMatchObject({ updatedAt: null, timeline: [] });
});

it('an agreement starts at its creation if the service gives a sending time a second earlier (SC-29)', () => {
  const sent = { id: AgreementId.parse('a'), state: 'READY_TO_SIGN', title: 'New lease' };
  const times = { createdOn: '20260501T080001Z', postedOn: '20260501T080000Z' };
  const { timeline } = readAgreementV1({ ...sent, ...times }, null);
  expect(timeline.map(({ what }) => what)).toEqual(['created', 'sent']);
});
