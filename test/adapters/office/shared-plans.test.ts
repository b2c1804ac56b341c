import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApprovals } from '../../../electron/adapters/office/approvals.ts';
import { createBatchReports } from '../../../electron/adapters/office/batches.ts';
import { createEvidenceEnds } from '../../../electron/adapters/office/evidence-ends.ts';
import { createSharedFiles } from '../../../electron/adapters/office/files.ts';
import { createHandovers } from '../../../electron/adapters/office/handovers.ts';
import { createSharedItems } from '../../../electron/adapters/office/items.ts';
import { createLeases } from '../../../electron/adapters/office/leases.ts';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';
import { AgreementId, BatchId, IdentityId } from '../../../shared/model/ids.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { explained, readWhole, type Step } from './explained.ts';
import {
  nameOf,
  type OfficeDatabase,
  startOffice,
  type TestDesk,
  unmarked,
} from './office-database.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const WAIT = 300_000;
const ROWS = 20_000;
/** Number of newest rows that still wait for a user. */
const WAITING = 20;
/** All queries about shared items, handovers and presence. */
const STATEMENTS = 33;
const TABLES = {
  large: [
    ...['shared_item', 'shared_file', 'draft_file', 'handover', 'handover_piece'],
    ...['evidence_end', 'approval', 'lease', 'batch_progress'],
  ],
  // These indexes contain only the few waiting rows, which may be read completely.
  short: ['approval_open', 'handover_waiting', 'handover_given'],
};

const request = {
  title: 'Lease',
  service: 'https://service.example',
  agreementId: AgreementId.parse('lease'),
  review: 1,
  documents: [],
  note: '',
};
const person = {
  id: IdentityId.parse(randomUUID()),
  name: 'Bo Ek',
  role: null,
  personNumberMasked: null,
  email: null,
};
const numbers = {
  title: 'Leases',
  rows: 3,
  sent: 1,
  refused: 0,
  unknown: 0,
  givenUp: 0,
  waiting: 2,
  stopped: 0,
  needsPerson: 0,
  gate: 'open' as const,
};

const uuid = (name: string): string => {
  const hex = createHash('md5').update(name).digest('hex');
  return `${hex.slice(0, 12)}4${hex.slice(13, 16)}8${hex.slice(17)}`.replace(
    /(.{8})(.{4})(.{4})(.{4})(.{12})/,
    '$1-$2-$3-$4-$5',
  );
};

describe.skipIf(postgresPrograms === null)('an office with much shared data', () => {
  let place: OfficeDatabase;
  let one: TestDesk;
  let other: TestDesk;

  beforeAll(async () => {
    place = await startOffice();
    [one, other] = [await place.addDesk(), await place.addDesk()];
    await fill(place, one, other);
  }, WAIT);
  afterAll(() => place?.remove());

  it('answers each query about this data without reading a whole table', async () => {
    const plans = new Map<string, Step[]>();
    const server = explained(place.serverOf(one), (sql, plan) => {
      plans.set(sql, [...(plans.get(sql) ?? []), plan]);
    });
    const key = { version: 1, key: randomBytes(32), numbers: randomBytes(32) };
    // The rows of this test were never sealed.
    const unsealed = new Error('Nobody has sealed this');
    const context = {
      office: place.office,
      ...one,
      name: nameOf(one.seat),
      newestKey: () => key,
      mark: unmarked,
      keyOf: () => Promise.reject(unsealed),
      handoverKeys: {
        make: async () => ({ key: randomBytes(32), wrapped: Buffer.of(1) }),
        open: () => Promise.reject(unsealed),
      },
      nameOf: (sha256: string) => createHash('sha256').update(sha256).digest(),
    };
    const refused = (asked: Promise<unknown>) => expect(asked).rejects.toBe(unsealed);

    const items = createSharedItems(server, context);
    expect(await items.kinds()).toHaveLength(7);
    await refused(items.changes(['person', 'group'], ROWS - 50, 100));
    await refused(items.changes(['draft'], 0, 100));
    const draft = { kind: 'draft', id: uuid('draft 7'), version: 2, content: null } as const;
    const entry = { kind: 'person', id: randomUUID(), version: 1, content: {} } as const;
    expect((await items.write([draft, entry])).size).toBe(2);

    const files = createSharedFiles(server, context);
    for (const kind of ['template', 'draft'] as const) {
      const owner = { kind, id: uuid('draft 8') };
      await files.put(owner, 'new', Buffer.of(1));
      await refused(files.read(owner, '8'));
    }

    const handovers = createHandovers(server, context);
    const order = { kind: 'draft', what: randomUUID(), revision: 1 } as const;
    const to = OfficeUserId.parse(other.seat);
    const said = { title: 'Lease', note: '', data: Buffer.of(1) };
    const id = await handovers.give({ id: randomUUID(), ...order, to, ...said });
    expect(await handovers.give({ id: randomUUID(), ...order, to, ...said })).toBe(id);
    await refused(handovers.list());
    await refused(handovers.read(id));
    expect(await handovers.take(id)).toBe(true);
    expect(await handovers.ended([id])).toMatchObject({ unknown: [] });

    const approvals = createApprovals(server, context);
    await approvals.ask(randomUUID(), request);
    await refused(approvals.list());
    const decision = { isApproved: true, person, reason: '' };
    expect(await approvals.decide(uuid(`approval ${String(ROWS)}`), decision)).toBe(true);

    const ends = createEvidenceEnds(server, context);
    await ends.note('log 7', { entries: 900_000, hash: 'hash' });
    expect((await ends.read(['log 7'])).length).toBeGreaterThan(1);

    const batches = createBatchReports(server, context);
    await batches.report(BatchId.parse(randomUUID()), numbers);
    await refused(batches.list());
    await batches.dropOld();

    const leases = createLeases(server, context);
    const task = { kind: 'draft', key: randomBytes(32), title: 'Lease' } as const;
    const taken = await leases.take(task, MINUTE);
    if (!taken.ok) throw new Error('Another desk has it');
    expect(await leases.renew(taken.lease, MINUTE)).toBe(true);
    await refused(leases.list());
    await refused(leases.take({ ...task, key: context.nameOf(`task ${String(ROWS)}`) }, 60_000));
    await leases.giveBack(taken.lease);

    expect([...plans.keys()]).toHaveLength(STATEMENTS);
    const whole = [...plans].flatMap(([sql, each]) =>
      each.flatMap((plan) => readWhole(plan, TABLES).map((table) => ({ sql, table }))),
    );
    expect(whole).toEqual([]);
  });
});

/** Adds rows of a few years, of several authors; no row can be decrypted. */
async function fill({ postgres }: OfficeDatabase, one: TestDesk, other: TestDesk): Promise<void> {
  const each = `FROM generate_series(1, ${String(ROWS)}) n`;
  const id = (name: string) =>
    `overlay(overlay(md5('${name} ' || n) placing '4' from 13) placing '8' from 17)::uuid`;
  const hash = (name: string) => `sha256(convert_to('${name}' || n, 'UTF8'))`;
  const sealed = "decode(repeat(md5(n::text), 20), 'hex'), 1";
  const [at, by] = [`'${one.desk}', '${one.seat}'`, `'${other.desk}', '${other.seat}'`];
  const ago = `clock_timestamp() - interval '1 minute' * (${String(ROWS)} - n)`;
  const isOld = `n <= ${String(ROWS - WAITING)}`;
  const statements = [
    'SET search_path = signing_desk',
    'UPDATE seat SET may_see_numbers = true, may_change_templates = true',
    // This script assigns the numbers, so triggers are disabled.
    'SET session_replication_role = replica',
    `INSERT INTO shared_item SELECT CASE WHEN n % 2 = 0 THEN 'person' ELSE 'draft' END,
       ${id('draft')}, 1, ${sealed}, ${at}, n, now() ${each}`,
    `UPDATE change_number SET last = ${String(ROWS)}`,
    `INSERT INTO shared_file SELECT ${hash('')}, 0, 1, ${sealed} ${each}`,
    `INSERT INTO draft_file SELECT ${id('draft')}, ${hash('')}, 0, 1, ${sealed} ${each}`,
    `INSERT INTO handover (id, what, revision, from_desk, from_seat, to_seat, sealed, key_version,
       pieces, given_at, taken_at, kind)
     SELECT ${id('handover')}, ${id('draft')}, 1, ${by}, '${one.seat}', ${sealed}, 1, ${ago},
       CASE WHEN ${isOld} THEN now() END, 'draft' ${each}`,
    `INSERT INTO handover_piece SELECT ${id('handover')}, 0, decode(md5(n::text), 'hex') ${each}`,
    `INSERT INTO evidence_end SELECT 'log ' || n % 50, n, md5(n::text), ${at}, ${ago} ${each}`,
    `INSERT INTO approval SELECT ${id('approval')}, ${by}, ${sealed}, ${ago},
       CASE WHEN ${isOld} THEN '${one.seat}'::uuid END, CASE WHEN ${isOld} THEN '${one.desk}'::uuid END,
       CASE WHEN ${isOld} THEN '\\x00'::bytea END, CASE WHEN ${isOld} THEN 1 END,
       CASE WHEN ${isOld} THEN now() END ${each}`,
    `INSERT INTO lease SELECT ${hash('task ')}, 'draft', 1, ${by}, ${sealed}, now(),
       CASE WHEN ${isOld} THEN '-infinity' ELSE now() + interval '1 hour' END ${each}`,
    `INSERT INTO batch_progress SELECT ${id('batch')}, ${by}, ${sealed},
       clock_timestamp() - interval '1 hour' * n ${each}`,
    'SET session_replication_role = DEFAULT',
    `ANALYZE ${TABLES.large.join(', ')}`,
  ];
  await postgres.run(statements.join(';'), 'office');
}
