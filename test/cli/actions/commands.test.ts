// tier: all
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../../electron/demo/start.ts';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import { cliHome, idOf as idOfTitle, OFFICE_AND_OLD } from '../../support/desks/cli-home.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({
    create: createMixedHome,
    connections: OFFICE_AND_OLD,
    isSynced: true,
  }));
});
afterAll(() => close());

type Value = Readonly<Record<string, unknown>>;

/** Runs a command, expects its exit code, and returns its output. */
const value = (args: readonly string[], wanted = 0): Promise<Value> => home.value(args, '', wanted);
const idOf = (title: string): string => idOfTitle(demo, title);
const stateOf = (title: string) =>
  demo.agreements.v1().find((one) => one.title === title)?.state ??
  demo.agreements.v2().find((one) => one.name === title)?.status;

/** Returns the number of requests whose URL matches, after the first `before` requests. */
const sent = (before: number, fits: RegExp) =>
  demo.requests.slice(before).filter(({ url }) => fits.test(url)).length;

describe('an agreement that belongs to another user', () => {
  it('is neither revoked nor reminded, sends no request, and names the owner (T1-22)', async () => {
    const id = idOf('Bergs avtal, delat för läsning');
    const before = demo.requests.length;
    for (const verb of ['revoke', 'remind']) {
      const { failed } = (await value(['agreements', verb, id, '--confirm', '1'], 6)) as {
        failed: { message: string }[];
      };
      expect(failed[0]?.message).toMatch(/Jonas Berg.*only its owner/);
    }
    expect(sent(before, /\/(?:revoke|notify)$/)).toBe(0);
    expect((await home.desk(['agreements', 'show', id])).stdout).toMatch(/Belongs to +Jonas Berg/);
  });

  it('shows its owner, with whom it is shared, and the user’s own rights', async () => {
    const found = await value(['agreements', 'access', idOf('Bergs avtal, delat med säljarna')]);
    expect(found).toMatchObject({
      owner: { name: 'Jonas Berg' },
      sharedWith: 'CUSTOM',
      rights: [{ action: 'read' }, { action: 'delete' }],
    });
  });
});

describe('desk agreements download', () => {
  it('names a partly signed agreement an unsigned copy (T2-69)', async () => {
    const out = path.join(home.folder, 'unsigned.pdf');
    const { stdout } = await home.desk([
      ...['agreements', 'download', idOf('Parkeringsavtal'), '--out', out],
    ]);
    expect(stdout).toContain('unsigned copy');
    const again = `${out}.pdf`;
    const saved = await value(['agreements', 'download', idOf('Parkeringsavtal'), '--out', again]);
    expect(saved).toMatchObject({ unsigned: true });
  });
});

const OPEN = 'Leieavtale Bjørnstad';

describe('desk agreements revoke', () => {
  it('sends one request, and none when the command is repeated (T1-70)', async () => {
    const title = 'Mutual NDA – O’Brien Ltd';
    const before = demo.requests.length;
    const revoke = ['agreements', 'revoke', idOf(title), '--confirm', '1'];
    expect(await value(revoke)).toMatchObject({
      done: [{ connection: 'Office', id: idOf(title), title, wasAlready: false }],
      failed: [],
      unknown: [],
    });
    expect(await value(revoke)).toMatchObject({ done: [{ wasAlready: true }] });
    expect(sent(before, /\/revoke$/)).toBe(1);
    expect(stateOf(title)).toBe('REVOKED');
  });

  it('ends with exit code 3 on a wrong count, and changes nothing', async () => {
    const title = 'Fullmakt för ombud';
    const before = demo.requests.length;
    await value(['agreements', 'revoke', idOf(title), '--confirm', '2'], 3);
    expect(sent(before, /revoke/)).toBe(0);
  });

  it('reads the agreement back after a lost answer, and succeeds (T1-71)', async () => {
    const title = 'Fullmakt för ombud';
    const fault = demo.fault({ path: /\/revoke$/, do: { kind: 'reset-after' } });
    const revoke = ['agreements', 'revoke', idOf(title), '--confirm', '1'];
    expect(await value(revoke)).toMatchObject({ done: [{ wasAlready: false }] });
    expect(fault.hits()).toBe(1);
  });

  it('ends with exit code 7 if the outcome stays unknown, and does not repeat the request (T1-71)', async () => {
    const title = 'Dienstleistungsvertrag Größe & Maß GmbH';
    const before = demo.requests.length;
    const cut = demo.fault({ path: /\/revoke$/, do: { kind: 'html' } });
    const revoke = ['agreements', 'revoke', idOf(title), '--confirm', '1'];
    expect(await value(revoke, 7)).toMatchObject({ done: [], unknown: [{ title }] });
    expect(cut.hits()).toBe(1);
    expect(sent(before, /\/revoke$/)).toBe(1);
  });

  it('adds the revocation to the timeline of a v2 agreement once (T2-21, T2-63)', async () => {
    const id = idOf('Parkeringsavtal');
    const before = demo.requests.length;
    await value(['agreements', 'revoke', `Old:${id}`, '--confirm', '1']);
    expect(demo.requests.slice(before).find((one) => one.url.endsWith('/revoke'))).toMatchObject({
      method: 'PUT',
    });
    const shown = await value(['agreements', 'show', `Old:${id}`, '--refresh']);
    const timeline = shown['timeline'] as Value[];
    expect(timeline.filter(({ what }) => what === 'revoked')).toHaveLength(1);
  });
});

describe('desk agreements delete', () => {
  it('accepts only rejected agreements of v2, and prints the service’s reason (T2-02, T2-64)', async () => {
    const rejected = idOf('Uppsägning av lokal');
    const open = idOf('Medgivande');
    const both = [`Old:${rejected}`, `Old:${open}`];
    const found = await value(['agreements', 'delete', ...both, '--confirm', '2'], 6);
    expect(found).toMatchObject({
      done: [{ id: rejected, told: `Agreement ${rejected} has been deleted.` }],
      failed: [{ id: open, code: 'conflict' }],
    });
    const again = await value(['agreements', 'delete', `Old:${rejected}`, '--confirm', '1']);
    expect(again).toMatchObject({ done: [{ wasAlready: true }] });
  });

  it('saves a concluded agreement first if a folder is given (T1-84)', async () => {
    const id = idOf('Projektavtal Måne');
    const folder = path.join(home.folder, 'archive');
    const remove = ['agreements', 'delete', id, '--confirm', '1', '--archive-to', folder];
    expect(await value(remove)).toMatchObject({ done: [{ id }] });
    expect(
      (await readdir(path.join(folder, 'TEST'))).filter((name) => name.endsWith('.pdf')),
    ).toHaveLength(1);
  });
});

describe('changes of a v1 agreement', () => {
  it('set its dates', async () => {
    const id = idOf(OPEN);
    const change = ['agreements', 'change', id, '--expire-on', '2037-01-31T12:00Z'];
    expect(await value(change)).toMatchObject({ outcome: 'done' });
    expect(await value(['agreements', 'show', id])).toMatchObject({
      expiresAt: '2037-01-31T12:00:00.000Z',
    });
    await value(['agreements', 'change', id], 2);
  });

  it('end with exit code 8 and print the current values if another user changed it first (T1-72)', async () => {
    const id = idOf(OPEN);
    const stale = { status: 412, body: '{"errors":[{"status":"412","title":"Changed"}]}' };
    const before = demo.requests.length;
    demo.fault({ method: 'PATCH', path: /agreements/, do: { kind: 'status', ...stale } });
    const change = ['agreements', 'change', id, '--expire-on', '2038-01-31T12:00Z'];
    expect(await value(change, 8)).toMatchObject({
      outcome: 'changed',
      fresh: { expiresAt: Date.parse('2037-01-31T12:00:00Z') },
      etag: expect.any(String),
    });
    const patches = demo.requests.slice(before).filter(({ method }) => method === 'PATCH');
    expect(patches).toHaveLength(1);
  });

  const partyOf = async (id: string) => {
    const { parties } = await value(['agreements', 'show', id, '--refresh']);
    const party = (parties as Value[]).find(
      ({ state, kind }) => state === 'turn' && kind === 'person',
    );
    if (party === undefined) throw new Error('nobody');
    return { name: String(party['name']), email: String(party['email']) };
  };

  it('correct an address and notify the new one in one command (T1-77)', async () => {
    const id = idOf(OPEN);
    const { name } = await partyOf(id);
    const email = ['agreements', 'email', id, '--party', name, '--to', 'right@example.com'];
    const before = demo.requests.length;
    const found = await value([...email, '--notify']);
    expect(found).toMatchObject({ outcome: 'done', notice: { state: 'reminded' } });
    expect(found['moved']).toContain('READY_TO_SIGN');
    expect(sent(before, /\/notify$/)).toBe(1);
    expect(await partyOf(id)).toMatchObject({ email: 'right@example.com' });
  });

  it('send at most one reminder an hour (T1-79)', async () => {
    const again = await value(['agreements', 'remind', idOf(OPEN), '--confirm', '1'], 6);
    expect(again).toMatchObject({ failed: [{ code: 'limited' }] });
    const id = idOf('Contrat de prestation – été 2026');
    const remind = ['agreements', 'remind', id, '--confirm', '1'];
    expect(await value(remind)).toMatchObject({ done: [{ id, reminded: 1 }] });
  });

  it('list the notifications of a party and of the owner', async () => {
    const id = idOf(OPEN);
    const { name } = await partyOf(id);
    const list = ['agreements', 'notifications', id];
    const ofParty = (await value([...list, '--party', name])) as { items: Value[] };
    expect(ofParty.items.map(({ type }) => type)).toContain('READY_TO_SIGN');
    const ofOwner = (await value(list)) as { items: Value[] };
    expect(JSON.stringify(ofOwner.items)).toContain('karin.lindqvist@example.com');
  });

  it('replace recipients and delete a notification (T1-78)', async () => {
    const id = idOf(OPEN);
    const { name } = await partyOf(id);
    const file = path.join(home.folder, 'recipients.json');
    const at = ['--party', name, '--notification', 'READY_TO_SIGN'];
    const set = ['agreements', 'recipients', id, ...at, '--set', file];
    await writeFile(file, '[{"medium":"EMAIL","address":"other@example.com"}]');
    expect(await value(set)).toMatchObject({ outcome: 'done' });
    await writeFile(file, '[]');
    await value(set, 3);
    expect(await value([...set, '--confirm', '1'])).toMatchObject({ outcome: 'done' });
    const deletion = ['agreements', 'delete-notification', id, ...at];
    expect(await value(deletion)).toMatchObject({ outcome: 'done' });
    await value(deletion, 3);
  });

  it('end with exit code 3 for a v2 agreement, which does not support them (T2-66)', async () => {
    const id = `Old:${idOf('Medgivande')}`;
    await value(['agreements', 'change', id, '--expire-on', '2037-01-31'], 3);
    const remind = ['agreements', 'remind', id, '--confirm', '1'];
    expect(await value(remind, 6)).toMatchObject({ failed: [{ code: 'invalid' }] });
  });
});

describe('reading an agreement', () => {
  it('saves its attachments one by one into a folder (T1-87)', async () => {
    const folder = path.join(home.folder, 'attachments');
    const found = await value(['agreements', 'attachments', idOf(OPEN), '--to', folder]);
    const files = found['files'] as Value[];
    expect(files.length).toBeGreaterThan(0);
    expect(files.map(({ name }) => name).toSorted()).toEqual((await readdir(folder)).toSorted());
    expect(Object.keys(files[0] ?? {})).toEqual(['name', 'bytes', 'sha256']);
  });

  it('prints raw answers unchanged, as JSON and on v2 as XML', async () => {
    const { stdout } = await home.desk(['agreements', 'raw', idOf(OPEN)]);
    expect(JSON.parse(stdout)).toMatchObject({ data: { id: idOf(OPEN) } });
    const id = idOf('Medgivande');
    const xml = await home.desk(['agreements', 'raw', `Old:${id}`, '--xml']);
    expect(xml.stdout).toMatch(/^<\?xml|^</);
    expect(xml.stdout).toContain(id);
    await value(['agreements', 'raw', idOf(OPEN), '--xml'], 3);
  });

  it('lists the fields of the agreement’s template, if any (T2-68)', async () => {
    const open = demo.agreements.v2().find((one) => one.name === 'Hyresavtal bostad');
    const found = await value(['agreements', 'fields', `Old:${open?.referenceNumber ?? ''}`]);
    expect(found).toMatchObject({ templateId: '70001' });
    expect(found['fields']).toContainEqual({ name: 'parking', value: true });
    const none = await value(['agreements', 'fields', `Old:${idOf('Medgivande')}`]);
    expect(none).toEqual({ templateId: null, fields: [] });
  });
});

describe('an action that only v2 supports', () => {
  it('rejects an agreement once, for a named person (T2-62)', async () => {
    const id = `Old:${idOf('Serviceavtal hiss')}`;
    const who = ['--party-type', 'COMPANY', '--person-no', '19850709-9805'];
    const org = ['--org-no', demo.company.orgNo];
    const reject = ['agreements', 'reject', id, ...who, ...org, '--confirm', '1'];
    await value(['agreements', 'reject', id, ...who, '--confirm', '1'], 2);
    expect(await value(reject)).toMatchObject({ outcome: 'done', wasAlready: false });
    expect(await value(reject)).toMatchObject({ outcome: 'done', wasAlready: true });
    expect(stateOf('Serviceavtal hiss')).toBe('REJECTED');
  });

  it('shares an agreement with a person or an organisation (T2-65)', async () => {
    const id = `Old:${idOf('Uthyrning förråd 14')}`;
    const share = ['agreements', 'share', id, '--email', 'bo@example.com', '--confirm', '1'];
    const company = [...share, '--with', 'ORGANIZATION', '--no', demo.company.orgNo];
    expect(await value([...company, '--permanent'])).toMatchObject({
      outcome: 'done',
      shared: { kind: 'permanent' },
    });
    const person = [...share, '--with', 'PERSON', '--no', '19850709-9805'];
    expect(await value([...person, '--until', '2037-01-31'])).toMatchObject({
      shared: { kind: 'until', day: '2037-01-31' },
    });
    await value(company, 2);
  });

  it('ends with exit code 7 if the outcome of a share is unknown, and does not repeat the request', async () => {
    const id = `Old:${idOf('Uthyrning förråd 14')}`;
    const before = demo.requests.length;
    demo.fault({ path: /\/share$/, do: { kind: 'reset-after' } });
    const who = ['--with', 'ORGANIZATION', '--no', demo.company.orgNo];
    const whole = ['agreements', 'share', id, '--email', 'bo@example.com', ...who, '--permanent'];
    const share = [...whole, '--confirm', '1'];
    expect(await value(share, 7)).toMatchObject({ outcome: 'unknown' });
    expect(sent(before, /\/share$/)).toBe(1);
  });

  it('uploads, lists, shows and removes files (T2-04)', async () => {
    const file = path.join(home.folder, 'bilaga åäö.pdf');
    await writeFile(file, await plainPdf('Bilaga', []));
    const { token, fileName } = await value(['uploads', 'add', file]);
    expect(fileName).toBe('bilaga åäö.pdf');
    const name = String(token);
    const { items } = await value(['uploads', 'list', '--connection', 'Old']);
    expect(items).toContainEqual(expect.objectContaining({ token, orphan: true }));
    expect(await value(['uploads', 'show', name])).toMatchObject({ state: 'waiting' });
    expect(await value(['uploads', 'remove', name])).toMatchObject({ wasAlready: false });
    await value(['uploads', 'show', name], 3);
    expect(await value(['uploads', 'remove', name])).toMatchObject({ wasAlready: true });
    await value(['uploads', 'list', '--connection', 'Office'], 3);
  });
});

describe('desk agreements list, with a filter of the service,', () => {
  const asked = (before: number) =>
    demo.requests
      .slice(before)
      .map(({ url }) => decodeURIComponent(new URL(url, demo.v1Url).search));

  it('lists one state of v1 (Q1-03)', async () => {
    const before = demo.requests.length;
    const { connections } = await value(['sync', '--connection', 'Office', '--only', 'CANCELLED']);
    expect(connections).toMatchObject([{ name: 'Office', requests: 1, gone: 0 }]);
    expect(asked(before)).toEqual([expect.stringContaining('filter[state]=CANCELLED')]);
  });

  it('lists the agreements that were active between two days on v1 (Q1-04)', async () => {
    const before = demo.requests.length;
    const days = ['--from', '2026-01-01T00:00Z', '--to', '2026-02-01T00:00Z'];
    await value(['sync', '--connection', 'Office', ...days]);
    const span = 'filter[lastActivityOn]=between:20260101T000000Z:20260201T000000Z';
    expect(asked(before)).toEqual([expect.stringContaining(span)]);
  });

  it('lists a status, a template and a range of dates on v2 (Q2-01) (Q2-02) (Q2-03)', async () => {
    const before = demo.requests.length;
    const narrowed = ['--only', 'CLOSED', '--template', 'lease', '--from', '2026-01-01'];
    await value(['sync', '--connection', 'Old', ...narrowed]);
    const query = /status=CLOSED.*from=2026-01-01.*templateId=lease/;
    expect(asked(before)).toEqual([expect.stringMatching(query)]);
  });

  it('rejects a filter unknown to the API with exit code 3, and sends no request', async () => {
    const before = demo.requests.length;
    await value(['sync', '--only', 'CLOSED'], 3);
    await value(['sync', '--connection', 'Office', '--only', 'MODIFIED'], 3);
    expect(asked(before)).toEqual([]);
  });
});

describe('desk agreements link', () => {
  it('prints the party’s own signing address, on v1 only (P1-19)', async () => {
    const id = idOf(OPEN);
    const { parties } = await value(['agreements', 'show', id]);
    const [party] = parties as { id: string }[];
    const { stdout, stderr } = await home.desk([
      'agreements',
      'link',
      id,
      '--party',
      party?.id ?? '',
    ]);
    expect({ stdout, stderr }).toMatchObject({
      stdout: expect.stringMatching(/^https?:\/\//),
      stderr: expect.stringContaining('can sign as this party'),
    });
    const v2 = demo.agreements.v2()[0]?.referenceNumber;
    await value(['agreements', 'link', `Old:${v2}`, '--party', 'private-1'], 3);
  });
});
