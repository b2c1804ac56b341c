// tier: all
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { offices } from '../../../electron/adapters/office/offices.ts';
import { keysOf, SeatSecret } from '../../../electron/adapters/office/keyring.ts';
import { type SealedFor, unsealText } from '../../../electron/adapters/office/seal.ts';
import type {
  Member,
  OpenOffice,
  OperationDescription,
} from '../../../electron/core/office/ports.ts';
import { hashOfParties } from '../../../electron/core/outbox/marks.ts';
import { AgreementId, BatchId, IdentityId } from '../../../shared/model/ids.ts';
import { borrowPostgres, type Postgres, postgresPrograms } from '../../support/postgres.ts';
import { operation, unmarked } from './office-database.ts';

const OWNER = { role: 'keeper', password: 'the owner’s, for this test' };
const WAIT = 120_000;
const DATABASE = 'numbers';
const NUMBER = '198507099805';
const hashing = {
  sha256: (data: Uint8Array) => createHash('sha256').update(data).digest('hex'),
  encoding: {
    utf8: (text: string) => new Uint8Array(Buffer.from(text)),
    text: (data: Uint8Array) => Buffer.from(data).toString(),
    base64: (data: Uint8Array) => Buffer.from(data).toString('base64'),
    bytes: (text: string) => new Uint8Array(Buffer.from(text, 'base64')),
  },
};
const hashOf = (number: string) => hashOfParties([`person:${number.slice(2)}`], hashing);

/** Carl, the attacker, has all rows of the office, but no permission for personal numbers. */
describe.skipIf(postgresPrograms === null)('a personal number in an office', () => {
  let postgres: Postgres;
  let carl: Member;
  let atAnna: OpenOffice;
  let atBo: OpenOffice;
  let atCarl: OpenOffice;

  beforeAll(async () => {
    postgres = await borrowPostgres();
    await postgres.run(`CREATE ROLE ${OWNER.role} LOGIN CREATEROLE PASSWORD '${OWNER.password}'`);
    await postgres.run(`CREATE DATABASE ${DATABASE} OWNER ${OWNER.role}`);
    const { host, port } = postgres.address;
    const address = { host, port, database: DATABASE, trust: null };
    const first = { address, owner: OWNER, name: 'Anna', goesOnWithout: false };
    atAnna = await offices.open(await offices.create(first), '1.0.0', unmarked);
    const join = async (name: string, rights: readonly ('send' | 'sign' | 'numbers')[]) => {
      const { invitation, phrase } = await atAnna.invite({ owner: OWNER, name, rights });
      return offices.join(invitation, phrase);
    };
    atBo = await offices.open(await join('Bo', ['send', 'sign', 'numbers']), '1.0.0', unmarked);
    carl = await join('Carl', ['send', 'sign']);
    atCarl = await offices.open(carl, '1.0.0', unmarked);
  }, WAIT);
  afterAll(async () => {
    for (const one of [atAnna, atBo, atCarl]) await one?.close();
    await postgres.remove();
  });

  const rowsOf = async (sql: string) =>
    (await postgres.run(`SELECT * FROM signing_desk.${sql}`, DATABASE)).rows;
  const Row = z.looseObject({ id: z.string() });

  /** Returns everything that Carl's keys decrypt, with any label. */
  async function readByCarl(): Promise<readonly string[]> {
    const { office } = carl.membership;
    const keys = keysOf(SeatSecret.parse(JSON.parse(carl.secret)));
    const read: string[] = [];
    const look = (sealed: unknown, of: Omit<SealedFor, 'office' | 'version'>, version = 1) => {
      for (const key of keys) {
        try {
          read.push(
            unsealText(key, { office, ...of, version }, z.instanceof(Uint8Array).parse(sealed)),
          );
        } catch {
          // The handover is not addressed to Carl.
        }
      }
    };
    for (const row of await rowsOf('operation')) {
      const { id, sealed } = Row.parse(row);
      look(sealed, { kind: 'operation', id });
    }
    for (const row of await rowsOf('approval')) {
      const { id, sealed, decision, from_seat: from, decided_by: by } = Row.parse(row);
      look(sealed, { kind: `approval asked by ${String(from)}`, id });
      look(decision, { kind: `approval decided by ${String(by)}`, id });
    }
    for (const row of await rowsOf('lease')) {
      const { task, sealed } = z.looseObject({ task: z.instanceof(Uint8Array) }).parse(row);
      look(sealed, { kind: 'lease', id: Buffer.from(task).toString('hex') });
    }
    for (const row of await rowsOf('batch_progress')) {
      const { batch, desk, sealed } = z.looseObject({ batch: z.string() }).parse(row);
      look(sealed, { kind: `batch at ${String(desk)}`, id: batch });
    }
    for (const row of await rowsOf('shared_item')) {
      const { kind, id, version, sealed } = Row.extend({ version: z.coerce.number() }).parse(row);
      look(sealed, { kind: `shared ${String(kind)}`, id }, version);
    }
    for (const row of await rowsOf('handover')) {
      const { id, kind, to_seat: to, pieces, sealed } = Row.parse(row);
      const about = `handover of a ${String(kind)} to ${String(to)}`;
      look(sealed, { kind: about, id });
      for (const { sealed: data } of await rowsOf(`handover_piece WHERE handover = '${id}'`)) {
        look(data, { kind: `${about}, piece of ${String(pieces)}`, id }, 0);
      }
    }
    return read;
  }

  it('cannot be decrypted by a user without permission, or guessed from a hash (SEC-M2) (SR-M2)', async () => {
    const title = `Lease for ${NUMBER}`;
    const about: OperationDescription = {
      title,
      service: 'https://service.example',
      scan: {
        mark: { by: 'name', name: `${title} ·K7Q2M9` },
        parties: hashOf(NUMBER),
        floor: 1,
        target: null,
      },
    };
    const other = { title: 'Lease', service: about.service, scan: { parties: hashOf(NUMBER) } };
    await atAnna.joined.claims.claim([operation(['a'], { about })]);
    await atAnna.joined.claims.claim([operation(['b'], { about: other })]);
    const person = {
      id: IdentityId.parse(randomUUID()),
      name: 'Bo Ek',
      role: null,
      personNumberMasked: null,
      email: null,
    };
    const request = {
      title,
      service: about.service,
      agreementId: AgreementId.parse('7'),
      review: 1,
      documents: [{ id: '1', name: `${NUMBER}.pdf`, bytes: 1, sha256: 'a'.repeat(64) }],
      note: `Of ${NUMBER}`,
    };
    const asked = randomUUID();
    await atAnna.approvals.ask(asked, request);
    await atBo.approvals.decide(asked, { isApproved: false, person, reason: `Not ${NUMBER}` });
    const numbers = { rows: 9, sent: 1, refused: 0, unknown: 0, waiting: 8 };
    const rest = { givenUp: 0, stopped: 0, needsPerson: 0, gate: 'open' } as const;
    await atAnna.batches.report(BatchId.parse(randomUUID()), { title, ...numbers, ...rest });
    await atAnna.joined.leases.take({ kind: 'draft', key: randomBytes(32), title }, 60_000);
    const bo = (await atAnna.seats()).find(({ name }) => name === 'Bo');
    const order = { id: randomUUID(), kind: 'draft', what: randomUUID(), revision: 1 } as const;
    const given = { title, note: `Of ${NUMBER}`, data: Buffer.from(`A draft for ${NUMBER}`) };
    await atAnna.handovers.give({ ...order, ...given, to: bo?.id ?? carl.membership.seat });
    const item = { kind: 'number', id: randomUUID(), version: 1 } as const;
    await atAnna.items.write([{ ...item, content: { personNumber: NUMBER } }]);

    const read = await readByCarl();
    expect(read).toHaveLength(6);
    for (const text of read) {
      for (const form of [NUMBER, NUMBER.slice(2), '850709']) expect(text).not.toContain(form);
    }
    // Someone who knows the birth date has a thousand numbers to try.
    const guesses = Array.from({ length: 10_000 }, (_, at) =>
      hashOf(`19850709${String(at).padStart(4, '0')}`),
    );
    expect(guesses).toContain(hashOf(NUMBER));
    const all = read.join('\n');
    expect(guesses.filter((guess) => all.includes(guess))).toEqual([]);

    // A permitted user sees the complete operation.
    const open = await atBo.joined.claims.open();
    expect(open.map((one) => one.about)).toEqual([about, other]);
    expect((await atBo.approvals.list()).length + (await atAnna.approvals.list()).length).toBe(1);
    expect(await atAnna.approvals.list()).toMatchObject([{ request }]);
    expect(await atBo.batches.list()).toMatchObject([{ title }]);
    expect(await atBo.handovers.list()).toMatchObject([{ title, note: given.note }]);
    expect(Buffer.from(await atBo.handovers.read(order.id)).toString()).toContain(NUMBER);
    // Other users see only that the operation exists. They cannot settle it: a search by masked
    // numbers would never find it.
    const shown = await atCarl.joined.claims.open();
    expect(shown.map((one) => one.about?.title)).toEqual(['Lease for ••••••••••••', 'Lease']);
    expect(shown.map((one) => one.about?.scan)).toEqual([null, { parties: null }]);
    const { items } = await atCarl.activity({ before: null, seat: null, kind: null });
    expect(items.map((one) => one.title)).toEqual(['Lease', 'Lease for ••••••••••••']);
    expect(await atCarl.batches.list()).toMatchObject([{ title: 'Lease for ••••••••••••' }]);
  });

  it('is not confused with an agreement or document ID of API v2, which all users can see', async () => {
    const agreementId = AgreementId.parse(NUMBER);
    const target = { agreementId, partyId: '1', configurationId: '2' };
    const scan = { mark: { by: 'object' }, parties: null, floor: 1, target } as const;
    const about: OperationDescription = {
      title: 'Signed',
      service: 'https://service.example',
      scan,
    };
    const signed = operation(['signed'], { about });
    await atAnna.joined.claims.claim([signed]);
    const open = await atCarl.joined.claims.open();
    expect(open.find(({ id }) => id === signed.id)?.about?.scan).toMatchObject({ target });
    const documents = [{ id: NUMBER, name: 'lease.pdf', bytes: 1, sha256: 'a'.repeat(64) }];
    const asked = randomUUID();
    const request = { title: 'Signed', service: about.service, agreementId, review: 1, documents };
    await atAnna.approvals.ask(asked, { ...request, note: '' });
    const shown = (await atCarl.approvals.list()).find(({ id }) => id === asked);
    expect(shown?.request).toMatchObject(request);
  });

  it('entered by a user without permission is readable only for the user it is handed over to (SEC-M2)', async () => {
    const anna = (await atCarl.seats()).find(({ name }) => name === 'Anna');
    const order = { id: randomUUID(), kind: 'draft', what: randomUUID(), revision: 1 } as const;
    const given = { title: 'Lease', note: '', data: Buffer.from(`A draft for ${NUMBER}`) };
    const before = await readByCarl();
    await atCarl.handovers.give({ ...order, ...given, to: anna?.id ?? carl.membership.seat });
    expect(Buffer.from(await atAnna.handovers.read(order.id)).toString()).toContain(NUMBER);
    expect(Buffer.from(await atCarl.handovers.read(order.id)).toString()).toContain(NUMBER);
    expect(await readByCarl()).toEqual(before);
  });
});
