import { createHash } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { connect } from '../../../electron/adapters/sqlite/database/cipher.ts';
import { openDatabase } from '../../../electron/adapters/sqlite/open/open.ts';
import { createEvidenceStore } from '../../../electron/adapters/sqlite/evidence/store.ts';
import { EvidenceLog } from '../../../electron/core/evidence/log.ts';
import type { Vault } from '../../../electron/core/ports.ts';
import { AgreementId, ConnectionId } from '../../../shared/model/ids.ts';
import { keptVault } from '../../support/fakes/kept-vault.ts';
import { createMemoryWitness } from '../../support/fakes/memory-ports.ts';
import { NOW, type TempFolder, tempFolder } from '../../adapters/sqlite/temp-database.ts';

const LENGTH = 12;

function logOver(place: TempFolder, vault: Vault, externalState = createMemoryWitness()) {
  const database = openDatabase({ ...place, now: NOW });
  let now = NOW;
  const log = new EvidenceLog({
    evidence: createEvidenceStore(database),
    vault,
    externalState,
    origin: { user: 'maria', computer: 'desk', program: 'Signing Desk 1.0.0' },
    clock: { now: () => (now += 1000), after: () => () => undefined },
    sha256: (data) => createHash('sha256').update(data).digest('hex'),
    encoding: createEncoding(),
    emit: () => undefined,
  });
  return { log, database };
}

const entry = (index: number) => ({
  ref: null,
  connection: {
    id: ConnectionId.parse('6f0c1c9e-9b1c-4c50-8ff2-0f5be6f0a001'),
    name: 'Kontoret å ä ö',
    api: 'v1',
    environment: 'test',
    origin: 'https://api.example.com',
  },
  agreement: { id: AgreementId.parse(`a-${index}`), title: `Lease ${index} “Öberg” 🖋` },
  person: null,
  fact: {
    kind: 'reviewed' as const,
    how: 'here' as const,
    documents: [{ id: 'd', name: 'lease.pdf', bytes: 7, sha256: 'ab'.repeat(32) }],
  },
});

/** A closed log of twelve entries, noted in the credential store. */
async function written() {
  const place = tempFolder();
  const vault = keptVault();
  const { log, database } = logOver(place, vault);
  for (let index = 1; index <= LENGTH; index += 1) log.append(entry(index));
  await log.note();
  const anchor = log.head();
  database.close();
  return { place, vault, anchor };
}

/** Changes the table as an attacker with the key could, whom the triggers do not stop. */
function tamper({ file, key }: TempFolder, work: (raw: Sqlite.Database) => void): void {
  const raw = connect(file, key, 'write');
  raw.exec('DROP TRIGGER evidence_is_not_rewritten; DROP TRIGGER evidence_is_not_shortened');
  work(raw);
  raw.close();
}

async function verdictOf(
  { place, vault, anchor }: Awaited<ReturnType<typeof written>>,
  isAnchored = false,
) {
  const { log, database } = logOver(place, vault);
  const verdict = await log.verify(isAnchored ? [anchor] : []);
  database.close();
  place[Symbol.dispose]();
  return verdict;
}

describe('the evidence log', () => {
  it('is complete after it was written, and reports its length', async () => {
    const verdict = await verdictOf(await written());
    expect(verdict).toMatchObject({ entries: LENGTH, chain: 'ok', firstBroken: null, anchors: 1 });
  });

  it('cannot be rewritten or shortened through the program’s own tables', async () => {
    const { place, vault } = await written();
    const { database } = logOver(place, vault);
    expect(() => database.command("UPDATE evidence SET entry = '{}'")()).toThrow();
    expect(() => database.command('DELETE FROM evidence')()).toThrow();
    database.close();
    place[Symbol.dispose]();
  });

  it('locates one flipped bit anywhere in an entry', async () => {
    const log = await written();
    const { place } = log;
    const texts: string[] = [];
    tamper(place, (raw) => {
      texts.push(
        ...raw.prepare('SELECT entry FROM evidence ORDER BY number').pluck().all().map(String),
      );
    });
    const damaged = Buffer.from(texts[6] ?? '');
    for (let bit = 0; bit < damaged.length * 8; bit += 211) {
      const flipped = Buffer.from(damaged);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const raw = connect(place.file, place.key, 'write');
      raw.prepare('UPDATE evidence SET entry = CAST(? AS TEXT) WHERE number = 7').run(flipped);
      raw.close();
      const opened = logOver(place, log.vault);
      expect((await opened.log.verify([])).firstBroken, `bit ${bit}`).toEqual({
        number: 7,
        why: 'changed',
      });
      opened.database.close();
    }
    place[Symbol.dispose]();
  });

  it('locates a flipped bit of a hash', async () => {
    const log = await written();
    tamper(log.place, (raw) =>
      raw.exec(`UPDATE evidence SET hash = iif(hash LIKE 'f%', 'e', 'f') || substr(hash, 2)
        WHERE number = 4`),
    );
    expect((await verdictOf(log)).firstBroken).toEqual({ number: 4, why: 'changed' });
  });

  it('locates a removed entry', async () => {
    const log = await written();
    tamper(log.place, (raw) => raw.exec('DELETE FROM evidence WHERE number = 5'));
    expect((await verdictOf(log)).firstBroken).toEqual({ number: 5, why: 'missing' });
  });

  it('locates a removed entry when the later entries were renumbered', async () => {
    const log = await written();
    tamper(log.place, (raw) =>
      raw.exec(`DELETE FROM evidence WHERE number = 5;
        UPDATE evidence SET number = -number WHERE number > 5;
        UPDATE evidence SET number = -number - 1 WHERE number < 0`),
    );
    expect((await verdictOf(log)).firstBroken).toEqual({ number: 5, why: 'moved' });
  });

  it('locates two swapped entries', async () => {
    const log = await written();
    tamper(log.place, (raw) =>
      raw.exec(`UPDATE evidence SET number = 100 WHERE number = 3;
        UPDATE evidence SET number = 3 WHERE number = 8;
        UPDATE evidence SET number = 8 WHERE number = 100`),
    );
    expect((await verdictOf(log)).firstBroken).toEqual({ number: 3, why: 'moved' });
  });

  it('locates a cut at the end', async () => {
    const log = await written();
    tamper(log.place, (raw) => raw.exec('DELETE FROM evidence WHERE number > 9'));
    expect((await verdictOf(log)).firstBroken).toEqual({ number: 10, why: 'cut' });
  });

  it('locates the end when only its last entry was cut off (TE-E03)', async () => {
    const log = await written();
    tamper(log.place, (raw) => raw.exec(`DELETE FROM evidence WHERE number = ${LENGTH}`));
    expect((await verdictOf(log)).firstBroken).toEqual({ number: LENGTH, why: 'cut' });
  });

  it('locates an entry that was rewritten together with its own hash (TE-E01)', async () => {
    const log = await written();
    tamper(log.place, (raw) => {
      const text = String(raw.prepare('SELECT entry FROM evidence WHERE number = 6').pluck().get());
      const forged = text.replace('Lease 6', 'Loan 66');
      const hash = createHash('sha256').update(forged).digest('hex');
      raw.prepare('UPDATE evidence SET entry = ?, hash = ? WHERE number = 6').run(forged, hash);
    });
    // The entry itself is consistent: only the next one, with the old hash, reveals the change.
    expect((await verdictOf(log)).firstBroken).toEqual({ number: 7, why: 'unlinked' });
  });

  it('locates a text that is not an entry, although its hash is right', async () => {
    const log = await written();
    tamper(log.place, (raw) => {
      const hash = createHash('sha256').update('{}').digest('hex');
      raw.prepare("UPDATE evidence SET entry = '{}', hash = ? WHERE number = 6").run(hash);
    });
    expect((await verdictOf(log)).firstBroken).toEqual({ number: 6, why: 'changed' });
  });

  it('reveals by an anchor file that the whole log was rewritten', async () => {
    const log = await written();
    tamper(log.place, (raw) => raw.exec('DELETE FROM evidence'));
    const forged = { ...log, vault: keptVault() };
    const { log: anew, database } = logOver(forged.place, forged.vault);
    for (let index = 1; index <= LENGTH; index += 1) anew.append(entry(index + 100));
    database.close();
    expect((await verdictOf(forged, true)).firstBroken).toEqual({
      number: LENGTH,
      why: 'replaced',
    });
  });

  it('is whole when the program ended before the credential store stored the last entries', async () => {
    const log = await written();
    const { log: later, database } = logOver(log.place, log.vault);
    later.append(entry(13));
    database.close();
    expect(await verdictOf(log, true)).toMatchObject({
      entries: LENGTH + 1,
      chain: 'ok',
      anchors: 2,
    });
  });

  it.each(['the credential store', 'the computer'])(
    'is verified as whole when its first note is written just after %s was read (SEC-M3)',
    async (asked) => {
      using place = tempFolder();
      const [vault, externalState] = [keptVault(), createMemoryWitness()];
      const { log: other, database: others } = logOver(place, vault, externalState);
      const whileAnswering = <Answer>(read: (name: string) => Promise<Answer>) => {
        return async (name: string) => {
          const answer = await read(name);
          await other.note();
          return answer;
        };
      };
      const isVault = asked === 'the credential store';
      const [ofVault, ofComputer] = isVault
        ? [{ ...vault, read: whileAnswering(vault.read) }, externalState]
        : [vault, { ...externalState, read: whileAnswering(externalState.read) }];
      const { log, database } = logOver(place, ofVault, ofComputer);
      log.append(entry(1));
      expect(await log.verify([])).toMatchObject({ entries: 1, chain: 'ok' });
      database.close();
      others.close();
    },
  );
});
