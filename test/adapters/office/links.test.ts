import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OfficeServer } from '../../../electron/adapters/office/server.ts';
import type { OfficeClaims } from '../../../electron/core/office/ports.ts';
import { type Link, layLink } from '../../support/link.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import {
  accessOf,
  type OfficeDatabase,
  operation,
  startOffice,
  type TestDesk,
} from './office-database.ts';

const WAIT = { timeout: 600_000 };

/** Words that identify each query of a claim. */
const QUESTIONS = [
  'BEGIN',
  'FOR NO KEY UPDATE',
  'FOR UPDATE',
  'DISTINCT ON',
  'INSERT INTO operation',
  'INSERT INTO claim',
  'COMMIT',
];
/** Shares of a message that arrive: none, a byte, half, and all but the last byte. */
const PARTS = [0, 0.001, 0.5, 1];
/** PostgreSQL's messages ReadyForQuery and Terminate. */
const READY = Buffer.from('Z\0\0\0\u0005I', 'latin1');
const ENDING = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');
const WITHIN_QUESTION = PARTS.map((question) => ({ question, answer: null }));
const WITHIN_ANSWER = PARTS.map((answer) => ({ question: 1, answer }));

describe.skipIf(postgresPrograms === null)('an office over an unreliable connection', () => {
  let place: OfficeDatabase;
  let link: Link;
  let through: OfficeServer;
  let ours: OfficeClaims;
  let theirs: OfficeClaims;
  let desk: TestDesk;

  beforeAll(async () => {
    place = await startOffice();
    link = await layLink(place.postgres.address);
    desk = await place.addDesk();
    through = place.open(desk, { port: link.port });
    ours = place.claimsOf(desk, through);
    theirs = place.claimsOf(await place.addDesk());
  }, WAIT.timeout);
  afterAll(async () => {
    await link?.close();
    await place?.remove();
  });

  const won = async (claims: OfficeClaims, one: ReturnType<typeof operation>): Promise<boolean> => {
    const [reply] = await claims.claim([one]);
    return reply?.ok ?? false;
  };

  it.each(QUESTIONS)(
    'grants a claim to one computer, or frees it, wherever the query “%s” is interrupted',
    WAIT,
    async (at) => {
      for (const [index, cut] of [...WITHIN_QUESTION, ...WITHIN_ANSWER].entries()) {
        await place.empty();
        const [one, other] = [operation(['a']), operation(['a'])];
        link.cutAt({ at, ...cut });
        await expect(ours.claim([one])).rejects.toMatchObject({ failure: { code: 'offline' } });
        expect(link.wasCut).toBe(true);
        // The first computer claims again, before the other one claims or after it.
        const isOtherFirst = index % 2 === 0;
        const early = isOtherFirst ? await won(theirs, other) : null;
        const mine = await won(ours, one);
        const yours = early ?? (await won(theirs, other));
        const wasCommitted = at === 'COMMIT' && cut.answer !== null;
        expect({ cut, mine, yours }).toEqual({
          cut,
          mine: wasCommitted || !isOtherFirst,
          yours: !wasCommitted && isOtherFirst,
        });
        const [holder, claims] = mine ? [one, ours] : [other, theirs];
        await claims.settle([{ id: holder.id, state: 'released' }]);
        expect(await won(mine ? theirs : ours, mine ? other : one)).toBe(true);
        expect(await theirs.open()).toHaveLength(1);
      }
    },
  );

  it.each([...WITHIN_QUESTION, ...WITHIN_ANSWER])(
    'makes an outcome known to all after a retry, if $question of the query and $answer of the answer arrive',
    WAIT,
    async (cut) => {
      await place.empty();
      const one = operation(['a']);
      await ours.claim([one]);
      link.cutAt({ at: 'UPDATE operation o SET state', ...cut });
      const outcome = [{ id: one.id, state: 'done' }] as const;
      await expect(ours.settle(outcome)).rejects.toMatchObject({ failure: { code: 'offline' } });
      await ours.settle(outcome);
      expect(await theirs.open()).toEqual([]);
      expect(await won(theirs, operation(['a']))).toBe(false);
    },
  );

  it('completes a claim of many rows after a lost reply, by a retry', WAIT, async () => {
    await place.empty();
    const rows = Array.from({ length: 2500 }, (_, at) => operation([`row ${String(at)}`]));
    for (const answer of [null, 0]) {
      link.cutAt({ at: 'COMMIT', question: 0, answer });
      await expect(ours.claim(rows)).rejects.toMatchObject({ failure: { code: 'offline' } });
    }
    expect((await ours.claim(rows)).every(({ ok }) => ok)).toBe(true);
    expect(await theirs.open()).toHaveLength(rows.length);
  });

  it.each([...WITHIN_QUESTION, ...WITHIN_ANSWER])(
    'keeps a manual resend at its computer, if $question of the query and $answer of the answer arrive',
    WAIT,
    async (cut) => {
      await place.empty();
      const one = operation(['a']);
      await ours.claim([one]);
      await ours.settle([{ id: one.id, state: 'unknown' }]);
      link.cutAt({ at: 'settled_at = NULL, sealed', ...cut });
      await expect(ours.claim([one])).rejects.toMatchObject({ failure: { code: 'offline' } });
      expect(link.wasCut).toBe(true);
      expect(await won(theirs, operation(['a']))).toBe(false);
      expect(await won(ours, one)).toBe(true);
      expect(await theirs.open()).toMatchObject([{ id: one.id, state: 'claimed' }]);
    },
  );

  it('loses only the claim if the server ends during its first statement', WAIT, async () => {
    await place.empty();
    const claims = place.claimsOf(desk, place.open(desk, { port: link.port }));
    link.answered = (answer) => (answer.includes(READY) ? Buffer.concat([answer, ENDING]) : answer);
    const one = operation(['a']);
    await expect(claims.claim([one])).rejects.toMatchObject({ failure: { code: 'offline' } });
    link.answered = (answer) => answer;
    expect(await won(claims, one)).toBe(true);
  });

  it(
    'counts as unreachable when the database accepts no connections for a while',
    WAIT,
    async () => {
      const { database } = accessOf(desk);
      const allow = (isAllowed: boolean) =>
        place.postgres.run(`ALTER DATABASE ${database} ALLOW_CONNECTIONS ${String(isAllowed)}`);
      const claims = place.claimsOf(desk, place.open(desk));
      await allow(false);
      try {
        await expect(claims.claim([operation(['a'])])).rejects.toMatchObject({
          failure: { code: 'offline' },
        });
      } finally {
        await allow(true);
      }
      expect(await won(claims, operation(['b']))).toBe(true);
    },
  );

  it('counts as unreachable when no server answers', WAIT, async () => {
    const silent = await layLink(place.postgres.address);
    await silent.close();
    const claims = place.claimsOf(desk, place.open(desk, { port: silent.port }));
    await expect(claims.claim([operation(['a'])])).rejects.toMatchObject({
      failure: { code: 'offline' },
    });
  });
});

/** A PostgreSQL protocol message: type, length and text. */
function message(kind: string, text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + Buffer.byteLength(text));
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(text)]);
}
