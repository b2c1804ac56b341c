// tier: all
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleChild } from '../../support/bundle-child.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { runLength } from '../../support/run-length.ts';
import { runSharing } from './sharing.ts';

const about = runLength({
  whole: { kills: 90, serverKills: 6, texts: 60 },
  all: { kills: 18, serverKills: 1, texts: 21 },
});
const TIMEOUT_MS = 1_800_000;

describe.skipIf(postgresPrograms === null)(
  'shared data that three computers of an office write through faults',
  () => {
    let outcome: Awaited<ReturnType<typeof runSharing>>;

    beforeAll(async () => {
      const child = await bundleChild('delivery/children/sharing-desk.ts');
      outcome = await runSharing({ ...about, seed: 5, child });
    }, TIMEOUT_MS);

    it('contains every text that a computer reported as stored', () => {
      expect(outcome.typed).toBeGreaterThanOrEqual(about.texts);
      expect(outcome.lost).toEqual([]);
    });

    it('is the same on all three computers at the end', () => {
      expect(outcome.differs).toEqual([]);
    });

    it('is written through kills of the programs and the database, and broken connections', () => {
      expect(outcome.kills).toBeGreaterThanOrEqual(about.kills);
      expect(outcome.serverKills).toBe(about.serverKills);
      expect(outcome.cuts).toBeGreaterThan(0);
    });
  },
);
