// tier: quick, 20 s, because one user of an office may put no file in the place of another's
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keysOf, newestOf, SeatSecret } from '../../../electron/adapters/office/keyring.ts';
import { offices } from '../../../electron/adapters/office/offices.ts';
import { sealBytes } from '../../../electron/adapters/office/seal.ts';

import type { FileOwner } from '../../../electron/core/office/items/ports.ts';
import type { Member, OpenOffice } from '../../../electron/core/office/ports.ts';
import { borrowPostgres, type Postgres, postgresPrograms } from '../../support/postgres.ts';
import { unmarked } from './office-database.ts';

const OWNER = { role: 'keeper', password: 'the owner’s, for this test' };
const LOST = { failure: { code: 'storage', reason: 'data-damaged' } };
const WAIT = 120_000;
const KINDS = ['template', 'draft'] as const;

const hashOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** Returns two files of several chunks, whose first chunks are equal. */
function twoFiles() {
  const good = Buffer.alloc(2_500_000, `rent 1000 ${randomUUID()}`);
  const bad = Buffer.concat([good.subarray(0, 2_000_000), Buffer.from('rent 9999')]);
  return { good, bad, hash: hashOf(good) };
}

describe.skipIf(postgresPrograms === null)('a file that another office user overwrites', () => {
  let postgres: Postgres;
  let anna: Member;
  let atAnna: OpenOffice;
  let atBo: OpenOffice;
  let atEve: OpenOffice;
  const opened: OpenOffice[] = [];

  const open = async (member: Member): Promise<OpenOffice> => {
    const office = await offices.open(member, '1.0.0', unmarked);
    opened.push(office);
    return office;
  };
  const joined = async (name: string): Promise<OpenOffice> => {
    const rights = ['numbers' as const, 'templates' as const];
    const { invitation, phrase } = await atAnna.invite({ owner: OWNER, name, rights });
    return open(await offices.join(invitation, phrase));
  };
  const ownerOf = (kind: FileOwner['kind']): FileOwner => ({ kind, id: randomUUID() });
  const share = (office: OpenOffice, owner: FileOwner, version: number, sha256: string) =>
    office.items.write([{ ...owner, version, content: { version, files: [{ sha256 }] } }]);
  const read = async (office: OpenOffice, owner: FileOwner, hash: string) =>
    hashOf(await office.files.read(owner, hash));
  const run = (sql: string) => postgres.run(sql, 'office');
  const pieces = async (): Promise<unknown> =>
    (await run('SELECT count(*)::int AS pieces FROM signing_desk.shared_file')).rows[0];

  beforeAll(async () => {
    postgres = await borrowPostgres();
    await postgres.run(`CREATE ROLE ${OWNER.role} LOGIN CREATEROLE PASSWORD '${OWNER.password}'`);
    await postgres.run(`CREATE DATABASE office OWNER ${OWNER.role}`);
    const { host, port } = postgres.address;
    const address = { host, port, database: 'office', trust: null };
    anna = await offices.create({ address, owner: OWNER, name: 'Anna', goesOnWithout: false });
    atAnna = await open(anna);
    atBo = await joined('Bo');
    atEve = await joined('Eve');
  }, WAIT);
  afterAll(async () => {
    await Promise.all(opened.map((one) => one.close()));
    await postgres.remove();
  });

  it.each(KINDS)(
    'of a %s is reported as lost, and its replacement is not delivered (SR-P15)',
    async (kind) => {
      const [owner, { good, bad, hash }] = [ownerOf(kind), twoFiles()];
      await atAnna.files.put(owner, hash, good);
      await share(atAnna, owner, 1, hash);
      expect(await read(atBo, owner, hash)).toBe(hash);
      await run(`DELETE FROM signing_desk.${kind === 'draft' ? 'draft_file' : 'shared_file'}`);
      await atEve.files.put(owner, hash, bad);
      await expect(atBo.files.read(owner, hash)).rejects.toMatchObject(LOST);
    },
  );

  it.each(KINDS)(
    '(a %s) under the hash of a valid file does not stop others from sharing and reading it (SR-P16)',
    async (kind) => {
      const [owner, { good, bad, hash }] = [ownerOf(kind), twoFiles()];
      await atEve.files.put(owner, hash, bad);
      await atAnna.files.put(owner, hash, good);
      await share(atAnna, owner, 1, hash);
      expect(await read(atBo, owner, hash)).toBe(hash);
      // A computer without earlier sends writes the next version; an existing file is not stored.
      await share(atBo, owner, 2, hash);
      expect(await read(atAnna, owner, hash)).toBe(hash);
      const { items } = await atBo.items.changes([kind], 0, 10);
      const content = { version: 2, files: [{ sha256: hash }] };
      expect(items.find(({ id }) => id === owner.id)).toMatchObject({ version: 2, content });
    },
  );

  it('with only its first chunk does not block sharing the complete file (SR-P16)', async () => {
    const [owner, { good, hash }] = [ownerOf('template'), twoFiles()];
    await atEve.files.put(owner, hash, good);
    await run('DELETE FROM signing_desk.shared_file WHERE place > 0');
    await atAnna.files.put(owner, hash, good);
    await share(atAnna, owner, 1, hash);
    expect(await read(atBo, owner, hash)).toBe(hash);
  });

  it('is unchanged and stored once, if the same or another file is stored after it (SR-P16)', async () => {
    const { good, bad, hash } = twoFiles();
    await run('DELETE FROM signing_desk.shared_file');
    await atAnna.files.put(ownerOf('template'), hash, good);
    await atBo.files.put(ownerOf('template'), hash, good);
    await atEve.files.put(ownerOf('template'), hash, bad);
    expect(await pieces()).toEqual({ pieces: 3 });
    expect(await read(atBo, ownerOf('template'), hash)).toBe(hash);
  });

  it('loses its name in an item that no longer refers to it (SR-P16)', async () => {
    const [owner, { good, bad, hash }] = [ownerOf('draft'), twoFiles()];
    await atEve.files.put(owner, hash, bad);
    await atAnna.files.put(owner, hash, good);
    await share(atAnna, owner, 1, hash);
    await share(atBo, owner, 2, 'another');
    await expect(atBo.files.read(owner, hash)).rejects.toMatchObject(LOST);
  });

  it('is reported as lost if it has more chunks than any document, so that it fills no memory (SR-P15)', async () => {
    const [owner, data] = [ownerOf('template'), randomBytes(513)];
    const hash = hashOf(data);
    await atAnna.files.put(owner, hash, Buffer.of(1));
    const key = newestOf(keysOf(SeatSecret.parse(JSON.parse(anna.secret))));
    const { rows } = await run('SELECT file FROM signing_desk.shared_file ORDER BY ctid DESC');
    const name = (rows[0] as { readonly file: Buffer }).file.toString('hex');
    const values = [...data].map((byte, place) => {
      const of = { office: anna.membership.office, kind: 'file piece of 513', id: hash };
      const sealed = sealBytes(key, { ...of, version: place }, Buffer.of(byte));
      return `('\\x${name}', ${String(place)}, 513, '\\x${Buffer.from(sealed).toString('hex')}', 1)`;
    });
    await run(`DELETE FROM signing_desk.shared_file WHERE file = '\\x${name}';
      INSERT INTO signing_desk.shared_file (file, place, pieces, sealed, key_version)
      VALUES ${values.join(', ')}`);
    await expect(atBo.files.read(owner, hash)).rejects.toMatchObject(LOST);
  });
});
