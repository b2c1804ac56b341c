// tier: all
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleChild } from '../../support/bundle-child.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { runLength } from '../../support/run-length.ts';
import { runRestored } from './restores.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const about = runLength({ whole: { days: 6, kills: 24 }, all: { days: 2, kills: 6 } });
const TIMEOUT_MS = HOUR;

describe.skipIf(postgresPrograms === null)(
  'an office whose data folders and database are restored from older copies',
  () => {
    let outcome: Awaited<ReturnType<typeof runRestored>>;

    beforeAll(async () => {
      const child = await bundleChild('delivery/children/whole-desk.ts');
      outcome = await runRestored({ ...about, seed: 6, child });
    }, TIMEOUT_MS);

    it('creates one agreement for each draft, and one more for each decision to send it again', () => {
      expect(outcome.made).toBeGreaterThan(0);
      expect(outcome.twice).toEqual([]);
    });

    it('loses no draft silently', () => {
      expect(outcome.lost).toEqual([]);
      expect(outcome.wrong).toEqual([]);
    });

    it('settles every row and every claim of a send, or leaves it for a person to decide', () => {
      expect(outcome.stuck).toEqual([]);
    });

    it('reminds at most once a day, and continues to remind after a lost answer', () => {
      expect(outcome.remindedTwice).toEqual([]);
      expect(outcome.silent).toEqual([]);
    });

    it('is tested with kills, restored folders and databases, and a colleague who revokes or deletes', () => {
      const { kills, folders, dumps, cuts } = outcome.met;
      expect(kills).toBeGreaterThanOrEqual(about.days * about.kills);
      expect(folders).toBe(about.days);
      expect(dumps).toBe(about.days / 2);
      expect(cuts).toBeGreaterThan(0);
    });
  },
);
