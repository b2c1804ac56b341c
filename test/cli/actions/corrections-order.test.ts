import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../../electron/demo/start.ts';
import { agreement } from '../../demo/bodies.ts';
import { cliHome } from '../../support/desks/cli-home.ts';
import type { HomeHere } from '../../support/desks/desk-here.ts';

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({ seed: 'none' }));
});
afterAll(() => close());

/** Sends an agreement with these signers and their signing order; returns its ID. */
async function send(title: string, orders: Readonly<Record<string, number>>): Promise<string> {
  const parties = Object.entries(orders).map(([name, signingOrder]) => ({
    type: 'PRIVATE',
    firstName: name,
    lastName: 'Ek',
    email: `${name.toLowerCase()}@old.example`,
    signingOrder,
    signingConfigurations: [{ type: 'CLICK' }],
  }));
  const answer = await fetch(`${demo.v1Url}/v1/agreements`, {
    method: 'POST',
    headers: {
      authorization: `Token ${demo.credentials.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ title, attachments: agreement.attachments, parties }),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: { id: string } }).data.id;
}

/** Returns the first names of the parties by their ID. */
async function names(id: string): Promise<Readonly<Record<string, string>>> {
  const { parties } = await home.value(['agreements', 'show', id, '--refresh']);
  return Object.fromEntries(
    (parties as { id: string; name: string }[]).map((one) => [
      one.id,
      one.name.split(' ')[0] ?? '',
    ]),
  );
}

/**
 * Corrects the addresses in `lines`; returns the requests for the agreement in their order, and the
 * notices.
 */
async function correct(id: string, lines: readonly string[]) {
  const file = path.join(home.folder, 'moved.csv');
  await writeFile(file, lines.join('\n'));
  const before = demo.requests.length;
  const args = ['agreements', 'correct', file, '--notify', '--confirm', String(lines.length)];
  const { done } = await home.value(args);
  const byId = await names(id);
  const requests = demo.requests
    .slice(before)
    .filter(({ method, url }) => method === 'POST' && url.includes(id))
    .map(({ url }) => {
      const [, party = '', rest = ''] = /\/parties\/([^/]+)\/(.+)$/.exec(url) ?? [];
      return `${byId[party] ?? ''} ${rest.split('/').at(-1) ?? ''}`;
    });
  const notices = (done as { partyId: string; notice: string }[]).map(
    ({ partyId, notice }) => `${byId[partyId] ?? ''} ${notice}`,
  );
  return { requests, notices };
}

const moved = (name: string, to = 'new'): string =>
  `${name.toLowerCase()}@old.example;${name.toLowerCase()}@${to}.example`;

describe('corrected addresses of parties who sign one after the other', () => {
  it('are all stored before a notification is sent, and only the current signer is notified', async () => {
    const id = await send('Lease', { Ada: 1, Bo: 2, Cy: 3 });
    await home.value(['sync']);
    const { requests, notices } = await correct(id, [moved('Cy'), moved('Ada'), moved('Bo')]);
    // Only Ada is notified, because it is her turn. The service invites Bo later, at the new
    // address.
    expect(requests).toEqual(['Cy updateEmail', 'Ada updateEmail', 'Bo updateEmail', 'Ada notify']);
    expect(notices).toEqual(['Cy nobody', 'Ada reminded', 'Bo nobody']);
  });

  it('are notified immediately if it is the corrected party’s turn', async () => {
    const id = await send('Loan', { Dag: 1, Eva: 2 });
    demo.act('v1', id, 'sign-one');
    await home.value(['sync']);
    // Dag has signed, so Dag is not waited for, and is not in the list of corrections.
    const { requests, notices } = await correct(id, [moved('Eva')]);
    expect(requests).toEqual(['Eva updateEmail', 'Eva notify']);
    expect(notices).toEqual(['Eva reminded']);
  });

  it('are stored and notified for one agreement before the next agreement', async () => {
    const first = await send('Order', { Finn: 1, Gro: 1, Hans: 2 });
    const second = await send('Order, the other', { Ida: 1 });
    await home.value(['sync']);
    const list = [moved('Gro'), moved('Ida'), moved('Hans'), moved('Finn')];
    const before = demo.requests.length;
    const { requests, notices } = await correct(first, list);
    expect(requests).toEqual([
      ...['Gro updateEmail', 'Hans updateEmail', 'Finn updateEmail'],
      ...['Gro notify', 'Finn notify'],
    ]);
    // The notices are in the order of the list, across agreements.
    expect(notices).toEqual(['Gro reminded', ' reminded', 'Hans nobody', 'Finn reminded']);
    const posts = demo.requests.slice(before).filter(({ method }) => method === 'POST');
    const places = posts.map(({ url }) => (url.includes(second) ? 'second' : 'first'));
    expect(places).toEqual([...Array<string>(5).fill('first'), 'second', 'second']);
  });
});
