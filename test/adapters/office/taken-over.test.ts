import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClaimKey, OfficeClaims } from '../../../electron/core/office/ports.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import {
  keyNamed,
  type OfficeDatabase,
  operation,
  startOffice,
  type TestDesk,
} from './office-database.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const REFUSED = { code: '42501' };
const AT_ONCE = { claimed: 0, unknown: 0 };

describe.skipIf(postgresPrograms === null)('an operation taken over by another user', () => {
  let place: OfficeDatabase;
  /** Anna started it; Eve, who may send too, took it over. */
  let anna: TestDesk;
  let bo: TestDesk;
  let eve: TestDesk;
  let atAnna: OfficeClaims;
  let atBo: OfficeClaims;
  let throughEve: OfficeClaims;
  let atEve: pg.Client;

  beforeAll(async () => {
    place = await startOffice();
    [anna, bo, eve] = [await place.addDesk(), await place.addDesk(), await place.addDesk()];
    [atAnna, atBo] = [place.claimsOf(anna), place.claimsOf(bo)];
    throughEve = place.claimsOf(eve);
    atEve = await place.connect(eve);
  });
  beforeEach(() => place.empty());
  afterAll(async () => {
    await atEve?.end();
    await place?.remove();
  });

  const rowOf = async (id: string) => {
    const sql = 'SELECT state, desk, sealed, key_version, started_at FROM operation WHERE id = $1';
    return (await atEve.query(sql, [id])).rows[0] as Record<string, unknown>;
  };
  const setState = (id: string, state: string) =>
    atEve.query('UPDATE operation SET state = $2 WHERE id = $1', [id, state]);
  async function takenOver(): Promise<string> {
    const one = operation(['lease']);
    await atAnna.claim([one]);
    await atAnna.settle([{ id: one.id, state: 'unknown' }]);
    await place.rest('15 minutes');
    expect(await throughEve.takeOver({ id: one.id, desk: anna.desk }, AT_ONCE)).toBe(true);
    return one.id;
  }

  it('cannot be released by that user, even after the user changed it (DL-S9)', async () => {
    const id = await takenOver();
    await expect(setState(id, 'released')).rejects.toMatchObject(REFUSED);
    for (const state of ['claimed', 'unknown', 'given-up']) {
      await setState(id, state);
      await expect(setState(id, 'released')).rejects.toMatchObject(REFUSED);
    }
    expect(await atBo.claim([operation(['lease'])])).toMatchObject([{ ok: false }]);
  });

  it('keeps its content and its start time (DL-S9)', async () => {
    const id = await takenOver();
    const before = await rowOf(id);
    await atEve.query(
      `UPDATE operation SET sealed = '', key_version = 7, started_at = '2001-01-01' WHERE id = $1`,
      [id],
    );
    expect(await rowOf(id)).toEqual(before);
  });

  it('is abandoned if a scan finds nothing: a user must confirm the next send of its key (DL-S9)', async () => {
    const id = await takenOver();
    await throughEve.settle([{ id, state: 'released' }]);
    expect(await rowOf(id)).toMatchObject({ state: 'given-up' });
    const [refused] = await atBo.claim([operation(['lease'])]);
    expect(refused).toMatchObject({ ok: false, held: [{ id, state: 'given-up' }] });
    const seen = [{ id: id, generation: 1 }];
    expect(await atBo.claim([operation(['lease'], { seen })])).toMatchObject([{ ok: true }]);
  });

  it('can be released by the user who started it, after getting it back (DL-S9)', async () => {
    const id = await takenOver();
    await place.rest('15 minutes');
    expect(await atAnna.takeOver({ id, desk: eve.desk }, AT_ONCE)).toBe(true);
    await atAnna.settle([{ id, state: 'released' }]);
    expect(await atBo.claim([operation(['lease'])])).toMatchObject([{ ok: true }]);
  });

  it('continues at its first computer after another computer abandoned it and a user saw this (DL-S9)', async () => {
    const id = await takenOver();
    await throughEve.settle([{ id, state: 'given-up' }]);
    expect(await atAnna.claim([operation(['lease'], { id })])).toMatchObject([{ ok: false }]);
    const seen = [{ id: id, generation: 1 }];
    expect(await atAnna.claim([operation(['lease'], { id, seen })])).toMatchObject([{ ok: true }]);
    expect(await rowOf(id)).toMatchObject({ state: 'claimed', desk: anna.desk });
  });

  it('continues at the new computer that has its request, once a user saw it (DL-S9)', async () => {
    const id = await takenOver();
    const again = (seen: ClaimKey['seen'] = []) =>
      throughEve.claim([operation(['lease'], { id, seen })]);
    expect(await again()).toMatchObject([{ ok: true }]);
    await throughEve.settle([{ id, state: 'released' }]);
    expect(await again()).toMatchObject([{ ok: false, held: [{ state: 'given-up' }] }]);
    expect(await again([{ id: id, generation: 1 }])).toMatchObject([{ ok: true }]);
    await expect(setState(id, 'released')).rejects.toMatchObject(REFUSED);
  });

  it('can be released by that user if the first user had released it before (DL-S9)', async () => {
    const one = operation(['lease']);
    await atAnna.claim([one]);
    await atAnna.settle([{ id: one.id, state: 'released' }]);
    expect(await throughEve.claim([one])).toMatchObject([{ ok: true }]);
    await throughEve.settle([{ id: one.id, state: 'released' }]);
    expect(await atBo.claim([operation(['lease'])])).toMatchObject([{ ok: true }]);
  });

  it('counts as a recent reminder, even if a later claim of its key states an old start (DL-S9)', async () => {
    const remind = { kind: 'remind' as const };
    const fresh = operation(['notice'], remind);
    await atAnna.claim([fresh]);
    await atAnna.settle([{ id: fresh.id, state: 'done' }]);
    const own = operation([], remind).id;
    await atEve.query('BEGIN');
    await atEve.query(
      `INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
       VALUES ($1, 'remind', $2, $3, 'done', '', 1)`,
      [own, eve.desk, eve.seat],
    );
    await atEve.query(
      `UPDATE operation SET started_at = '2001-01-01', settled_at = '2001-01-01' WHERE id = $1`,
      [own],
    );
    const claim = 'INSERT INTO claim (key, generation, operation) VALUES ($1, $2, $3)';
    await atEve.query(claim, [keyNamed('notice'), 2, own]);
    await atEve.query('COMMIT');
    const [held] = await atBo.holders([keyNamed('notice')]);
    const { startedAt, settledAt, age } = held ?? { startedAt: 0, settledAt: 0, age: 0 };
    expect((settledAt ?? startedAt) + age - startedAt).toBeLessThan(MINUTE);
  });
});
