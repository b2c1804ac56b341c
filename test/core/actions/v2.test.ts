import { beforeEach, describe, expect, it } from 'vitest';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import { lost, uploadOf } from '../../support/fakes/fake-actions.ts';
import { partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  bodyV2,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { bytesOf } from '../../support/fakes/memory-ports.ts';

const unknown = { kind: 'unknown', failure: lost } as const;
const PERSON = '189001019802';

let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  desk = startMemoryDesk();
  connectionId = (await addConnection(desk, 'v2')).id;
});

const key = () => ({ connectionId, id: AgreementId.parse('7') });
const sent = () => desk.actions.v2.sent;

function plant(change: Partial<RemoteAgreement> = {}): void {
  const remote = remoteOf({ id: '7', parties: [partyOf({})], ...change });
  desk.services.v2.agreements.set('7', remote);
  desk.stores.agreements.put(connectionId, 'v2', [remote], desk.clock.now());
}

describe('a rejection', () => {
  const reject = (confirm = 1) => {
    const rejection = { partyType: 'PRIVATE', personNo: PERSON } as const;
    return desk.api['actions.reject']({ key: key(), rejection, confirm });
  };

  it('for a named person requires a confirmation, and is sent once (T2-62)', async () => {
    plant();
    await expect(reject(0)).rejects.toMatchObject({ failure: { reason: 'count-differs' } });
    expect(await reject()).toMatchObject({ outcome: 'done', wasAlready: false });
    expect(sent()).toEqual(['reject 7 PRIVATE']);
  });

  it('of an agreement that is already rejected sends nothing, and reports that it is rejected (T2-62)', async () => {
    plant({ state: 'rejected' });
    expect(await reject()).toMatchObject({ outcome: 'done', wasAlready: true });
    expect(sent()).toEqual([]);
  });

  it('stores no personal number (T2-62)', async () => {
    plant();
    await reject();
    expect(JSON.stringify(desk.stores.actions.list({}, 0))).not.toContain(PERSON);
  });

  it('for a company requires its number (T2-62)', async () => {
    plant();
    const rejection = { partyType: 'COMPANY', personNo: PERSON } as never;
    const input = { key: key(), rejection, confirm: 1 };
    await expect(desk.api['actions.reject'](input)).rejects.toMatchObject({
      failure: { code: 'invalid' },
    });
  });
});

describe('sharing an agreement', () => {
  const sharing = {
    with: { type: 'ORGANIZATION', orgNo: '5560360793' },
    email: 'bo@example.com',
    message: null,
    until: null,
  } as const;

  it('requires a number of the chosen kind, and reports how long the agreement is shared (T2-65)', async () => {
    plant();
    const until = '2026-12-31';
    const outcome = await desk.api['actions.share']({
      key: key(),
      sharing: { ...sharing, until },
      confirm: 1,
    });
    expect(outcome).toMatchObject({ outcome: 'done', shared: { kind: 'until', day: until } });
    expect(sent()).toEqual([`share 7 ${JSON.stringify(sharing.with)}`]);
    const person = { ...sharing, with: { type: 'PERSON', orgNo: '5560360793' } as never };
    await expect(
      desk.api['actions.share']({ key: key(), sharing: person, confirm: 1 }),
    ).rejects.toMatchObject({
      failure: { code: 'invalid' },
    });
  });

  it('notifies the recipient, so it requires a confirmed count and a valid address (FE-D13, FE-D6)', async () => {
    plant();
    const share = (email: string, confirm: number) =>
      desk.api['actions.share']({ key: key(), sharing: { ...sharing, email }, confirm });
    await expect(share(sharing.email, 2)).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'count-differs' },
    });
    await expect(share('bo@example', 1)).rejects.toMatchObject({ failure: { code: 'invalid' } });
    expect(sent()).toEqual([]);
  });

  it('ends today at the earliest, by the Swedish calendar (T2-65)', async () => {
    plant();
    const share = (until: string) =>
      desk.api['actions.share']({ key: key(), sharing: { ...sharing, until }, confirm: 1 });
    await expect(share('2026-11-20')).rejects.toMatchObject({ failure: { code: 'invalid' } });
    expect(await share('2026-11-21')).toMatchObject({ outcome: 'done' });
  });

  it('with unknown outcome is not repeated, and no reading of the agreement proves it', async () => {
    plant();
    desk.actions.v2.endings.push(unknown);
    expect(await desk.api['actions.share']({ key: key(), sharing, confirm: 1 })).toMatchObject({
      outcome: 'unknown',
      failure: { reason: 'outcome-unknown' },
    });
    expect(sent()).toHaveLength(1);
  });
});

describe('a feature missing from an API', () => {
  it('is refused before any reading or writing (T2-66)', async () => {
    plant();
    const change = { key: key(), expiresAt: 5_000 };
    await expect(desk.api['actions.change'](change)).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'api-lacks-action' },
    });
    expect(desk.stores.actions.list({}, 0)).toEqual([]);
    expect(desk.services.v2.reads).toEqual([]);
  });

  it('shows no fields for an agreement without a template (T2-68)', async () => {
    plant();
    expect(await desk.api['actions.fieldValues']({ key: key() })).toBeNull();
    desk.actions.v2.values = { templateId: 't', fields: [{ name: 'tenant', value: true }] };
    expect(await desk.api['actions.fieldValues']({ key: key() })).toMatchObject({
      fields: [{ name: 'tenant', value: true }],
    });
  });
});

describe('uploaded files', () => {
  const add = (name: string) =>
    desk.api['uploads.add']({ connectionId, name, bytes: desk.bytes.put(bytesOf('%PDF-')) });

  it('are orphans unless a draft uses them (T2-43)', async () => {
    for (const name of ['used.pdf', 'left.pdf']) {
      desk.actions.v2.files.set(`token-of-${name}`, uploadOf(name));
    }
    await desk.api['drafts.create']({
      connectionId: null,
      content: {
        api: 'v2',
        body: {
          ...bodyV2('Lease'),
          attachments: [{ name: 'used.pdf', token: 'token-of-used.pdf' }],
        },
      },
    });
    const { files, total } = await desk.api['uploads.list']({ connectionId });
    expect(files.map(({ fileName, isOrphan }) => [fileName, isOrphan])).toEqual([
      ['used.pdf', false],
      ['left.pdf', true],
    ]);
    expect(total).toBe(2);
  });

  it('of v2 are not listed for a connection of v1, which has its own tokens (T1-62)', async () => {
    desk.actions.v2.files.set('token-of-used.pdf', uploadOf('used.pdf'));
    const v1 = (await addConnection(desk, 'v1')).id;
    const lacking = { failure: { code: 'invalid', reason: 'api-lacks-action' } };
    const token = 'token-of-used.pdf';
    await expect(desk.api['uploads.list']({ connectionId: v1 })).rejects.toMatchObject(lacking);
    await expect(desk.api['uploads.show']({ connectionId: v1, token })).rejects.toMatchObject(
      lacking,
    );
    await expect(
      desk.api['uploads.add']({
        connectionId: v1,
        name: 'a.pdf',
        bytes: desk.bytes.put(bytesOf('%PDF-')),
      }),
    ).rejects.toMatchObject(lacking);
    expect(desk.actions.v2.sent).toEqual([]);
  });

  it('are sent once each, and at the same time if their names differ', async () => {
    const both = await Promise.all([add('a.pdf'), add('b.pdf')]);
    expect(both).toMatchObject([
      { outcome: 'done', file: { token: 'token-of-a.pdf' } },
      { outcome: 'done', file: { token: 'token-of-b.pdf' } },
    ]);
    expect(sent()).toEqual(['upload a.pdf', 'upload b.pdf']);
  });

  it('that were used or expired are reported as gone, and their removal as done before (T2-04)', async () => {
    expect(await desk.api['uploads.show']({ connectionId, token: 'gone' })).toBeNull();
    expect(await desk.api['uploads.remove']({ connectionId, token: 'gone' })).toMatchObject({
      outcome: 'done',
      wasAlready: true,
    });
  });

  it('are looked for by their token when the answer to their removal is lost', async () => {
    desk.actions.v2.files.set('t', uploadOf('t'));
    desk.actions.v2.endings.push(unknown, unknown);
    expect(await desk.api['uploads.remove']({ connectionId, token: 't' })).toMatchObject({
      outcome: 'unknown',
    });
    desk.actions.v2.commit = () => desk.actions.v2.files.delete('t');
    expect(await desk.api['uploads.remove']({ connectionId, token: 't' })).toMatchObject({
      outcome: 'done',
    });
  });

  it('exist in v2 only', async () => {
    const v1 = (await addConnection(desk, 'v1')).id;
    await expect(desk.api['uploads.list']({ connectionId: v1 })).rejects.toMatchObject({
      failure: { reason: 'api-lacks-action' },
    });
  });
});
