// tier: all
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timestampAfterDays } from '../../../shared/rules/drafts/wall-time.ts';
import { send, stored } from '../support/draft-steps.ts';
import { Office, onlyDraft } from '../support/killed-sittings.ts';
import {
  OPEN_DAYS,
  TITLE,
  wanted,
  wantedFile,
  writeLease,
  writeRentAndEnd,
} from '../support/lease-story.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

let office: Office;
let file: string;

beforeAll(async () => {
  office = await Office.open('v1');
  file = await writeLease(office.folder);
});

afterAll(() => office.close());

describe('a lease written offline with the keyboard, in a program killed twice', () => {
  it(
    'is sent later exactly as it was written (AP-08)',
    async () => {
      await office.sitTwice('lease', [file]);
      const app = await office.startApp();
      try {
        const { page } = app;
        const { parties, notifications } = wanted;
        const { body } = await onlyDraft(app);
        expect(body).toEqual(expect.objectContaining({ parties, notifications }));
        const endOnDay = () => timestampAfterDays(OPEN_DAYS, Date.now());
        const ends = [endOnDay()];
        await writeRentAndEnd(page);
        ends.push(endOnDay());
        await stored(page);
        expect(office.relay.passed).toEqual([]);
        await office.relay.up();
        await send(page);
        const created = await office.created();
        const [row] = await apiOf(app)['outbox.list']({});
        const data = (await readFile(file)).toString('base64');
        expect(created).toStrictEqual({
          ...wanted,
          expireOn: expect.toBeOneOf(ends),
          attachments: [{ ...wantedFile, data }],
          tags: { 'desk.ref': row?.ref, 'desk.key': expect.stringMatching(/^[\da-f]{64}$/u) },
        });
        expect(office.demo.agreements.v1()).toMatchObject([
          { title: TITLE, state: 'READY_TO_SIGN' },
        ]);
      } finally {
        await app.close();
      }
    },
    HOUR,
  );
});
