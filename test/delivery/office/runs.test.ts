// tier: all
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OfficeDatabase, startOffice } from '../../adapters/office/office-database.ts';
import { bundleChild } from '../../support/bundle-child.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { runLength } from '../../support/run-length.ts';
import { type OfficeOutcome, runOffice } from './faults.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const about = runLength({
  whole: { rows: 200, kills: 60, serverKills: 4 },
  all: { rows: 40, kills: 15, serverKills: 1 },
});
/**
 * Factor of the clock. A claim is trusted for a minute, here 400 real ms, in which a busy computer
 * can still reply and send.
 */
const FACTOR = 150;
const TIMEOUT_MS = HOUR;

describe.skipIf(postgresPrograms === null)(
  'rows that three computers of an office send through faults',
  () => {
    let place: OfficeDatabase;
    let outcome: OfficeOutcome;

    beforeAll(async () => {
      const child = await bundleChild('delivery/children/office-desk.ts');
      place = await startOffice();
      outcome = await runOffice({ ...about, factor: FACTOR, seed: 3, child, loses: true }, place);
    }, TIMEOUT_MS);
    afterAll(() => place?.remove());

    it('have one agreement each, and one more for each time that a person sent a row again', () => {
      expect(outcome.rows).toBe(about.rows);
      expect(outcome.twice).toEqual([]);
      expect(outcome.lost).toEqual([]);
    });

    it('are all settled, and have no open claims', () => {
      expect(outcome.stuck).toEqual([]);
    });

    it('have the same status on every computer as on the service', () => {
      expect(outcome.wrong).toEqual([]);
    });

    it('are sent through kills of the programs and the database, and broken connections', () => {
      expect(outcome.kills.size).toBeGreaterThan(1);
      expect(outcome.serverKills).toBe(about.serverKills);
      expect(outcome.cuts).toBeGreaterThan(0);
    });
  },
);
