import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../../electron/demo/start.ts';
import { cliHome } from '../../support/desks/cli-home.ts';
import type { HomeHere } from '../../support/desks/desk-here.ts';

const OLD = 'asa@old.example';
const NEW = 'asa@new.example';
const NUMBER = '198507099805';

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;
/** The service's ID of the agreement that this computer sent. */
let sent: string;

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({ connections: { Old: 'v2' } }));
  sent = await send();
  await home.value(['sync']);
});
afterAll(() => close());

/** Returns an open agreement that this computer did not send, and a party who has not signed it. */
async function elsewhere(): Promise<{ readonly id: string; readonly name: string }> {
  for (const { referenceNumber: id, status } of demo.agreements.v2()) {
    if (status !== 'POSTED' || id === sent) continue;
    const { parties } = await home.value(['agreements', 'show', id]);
    const one = (parties as Shown[]).find(
      ({ kind, state }) => kind === 'person' && state !== 'signed',
    );
    if (one !== undefined) return { id, name: one.name };
  }
  throw new Error('No open agreement of the demo waits for a person');
}

const write = async (name: string, text: string | Uint8Array): Promise<string> => {
  const file = path.join(home.folder, name);
  await writeFile(file, text);
  return file;
};

async function send(): Promise<string> {
  const pdf = await PDFDocument.create();
  pdf.addPage();
  const person = { personNo: NUMBER, firstName: 'Åsa', lastName: 'Öberg', email: OLD };
  const company = { orgNo: '5599990008', firstName: 'Karin', lastName: 'Lindqvist' };
  const parties = {
    privates: [{ ...person, signMethods: ['EID'] }],
    companies: [{ ...company, email: 'karin@example.com' }],
  };
  const body = { name: 'Hyra av förråd', type: 'ATTACHED', expireIn: 21, parties };
  const from = await write('body.json', JSON.stringify(body));
  const attach = ['--attach', await write('hyra.pdf', await pdf.save())];
  const { id } = await home.value(['drafts', 'add', '--api', 'v2', '--from', from, ...attach]);
  const order = ['--connection', 'Old', '--confirm', '1', '--wait'];
  const { remoteId } = await home.value(['drafts', 'send', String(id), ...order]);
  return String(remoteId);
}

const correct = async (list: string, option: string, wanted = 0) =>
  home.value(['agreements', 'correct', await write('list.csv', list), option], '', wanted);
const changes = (since: number) =>
  demo.requests.slice(since).filter(({ method }) => method !== 'GET');

describe('address corrections in API v2, which allows no changes', () => {
  it('are matched by address if this computer sent the agreement, and otherwise by name only', async () => {
    const before = demo.requests.length;
    const other = await elsewhere();
    const list = `${OLD};${NEW}\n${other.name};other@new.example\nnobody@old.example;x@new.example`;
    const found = await correct(list, '--check', 3);
    expect(found['rows']).toEqual([]);
    expect(found['copies']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ line: 1, id: sent, from: OLD, to: NEW, partyName: 'Åsa Öberg' }),
        expect.objectContaining({
          line: 2,
          id: other.id,
          from: null,
          to: 'other@new.example',
        }),
      ]),
    );
    expect(found['unfound']).toEqual([{ line: 3 }]);
    // This computer knows no addresses for these agreements.
    expect(found['withoutAddresses']).toBeGreaterThan(0);
    expect(JSON.stringify(found)).not.toContain(NUMBER);
    expect(changes(before)).toEqual([]);
  });

  it('create a new draft with the same contents, and keep the old agreement until it is revoked', async () => {
    const before = demo.requests.length;
    const { copied } = await correct(`${OLD};${NEW}`, '--copy');
    expect(copied).toEqual([
      {
        id: sent,
        title: expect.stringContaining('Hyra av förråd'),
        draft: expect.any(String),
        losses: [],
      },
    ]);
    const [{ draft }] = copied as [{ draft: string }];
    const { body } = await home.value(['drafts', 'show', draft]);
    const { parties, name } = body as Body;
    expect(name).toBe('Hyra av förråd');
    expect(parties.privates).toMatchObject([{ lastName: 'Öberg', email: NEW }]);
    expect(parties.companies).toMatchObject([{ email: 'karin@example.com' }]);
    expect(changes(before)).toEqual([]);
    const old = demo.agreements.v2().find(({ referenceNumber }) => referenceNumber === sent);
    expect(old?.status).toBe('POSTED');
  });

  it('create no draft if the list changes no address', async () => {
    const { copied } = await correct(`550 5.1.1 <${OLD}>: user unknown`, '--copy');
    expect(copied).toEqual([]);
  });
});

type Shown = Readonly<Record<'kind' | 'state' | 'name', string>>;

interface Body {
  readonly name: string;
  readonly parties: Readonly<Record<'privates' | 'companies', readonly object[]>>;
}
