import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ArchivedExtra, RecordedPdf } from '../../../../electron/core/archive/ports.ts';
import type { AgreementKey } from '../../../../shared/model/ids.ts';
import type { RemoteAgreement } from '../../../../shared/model/agreement.ts';
import { idOf, newConnection, remote } from '../samples.ts';
import { NOW, tempDatabase } from '../temp-database.ts';

const FOLDER = '/archive';
const OTHER_FOLDER = '/elsewhere';

/** Returns an archive with two connections, which have an agreement `x` and `y` each. */
function withNeighbours() {
  const place = tempDatabase();
  const connections = [newConnection({ name: 'A' }), newConnection({ name: 'B' })] as const;
  const signed = (id: string, closedAt: number): RemoteAgreement =>
    remote({ id, title: `Lease ${id}`, state: 'signed', closedAt, parties: [] });
  for (const connection of connections) {
    place.stores.connections.save(connection);
    place.stores.agreements.put(
      connection.id,
      'v1',
      [signed('x', NOW - 2), signed('y', NOW - 1)],
      NOW,
    );
  }
  const keys = connections.flatMap(({ id }) =>
    ['x', 'y'].map((name) => ({ connectionId: id, id: idOf(name) })),
  );
  const [ax, ay, bx, by] = keys;
  if (ax === undefined || ay === undefined || bx === undefined || by === undefined) {
    throw new Error('too few');
  }
  return Object.assign(place, { archive: place.stores.archive, ax, ay, bx, by, connections });
}

const pdf = (change: Partial<RecordedPdf> = {}): RecordedPdf => ({
  file: `${FOLDER}/x.pdf`,
  bytes: 17,
  sha256: 'ab',
  seal: 'covers',
  changedAt: 5,
  savedAt: NOW,
  ...change,
});

const extra = (change: Partial<ArchivedExtra> = {}): ArchivedExtra => ({
  kind: 'json',
  name: 'answer',
  file: `${FOLDER}/x - answer.json`,
  bytes: 3,
  sha256: 'cd',
  savedAt: NOW,
  ...change,
});

/** Returns the keys other than `key`: with another connection, another ID, or both. */
const othersThan = (
  { ax, ay, bx, by }: ReturnType<typeof withNeighbours>,
  key: AgreementKey,
): readonly AgreementKey[] => [ax, ay, bx, by].filter((one) => one !== key);

describe('a saved PDF in the archive', () => {
  it('belongs to one agreement of one connection, in one folder', () => {
    using place = withNeighbours();
    const { archive, ax } = place;
    archive.record(ax, pdf(), NOW, FOLDER);
    const { savedAt: _, ...kept } = pdf();
    expect(archive.saved(ax)).toEqual({ ...kept, finding: null });
    expect(archive.placed(FOLDER, ax)).toEqual(kept);
    expect(archive.placed(OTHER_FOLDER, ax)).toBeNull();
    for (const key of othersThan(place, ax)) {
      expect(archive.saved(key)).toBeNull();
      expect(archive.placed(FOLDER, key)).toBeNull();
    }
    expect(archive.inFolder(OTHER_FOLDER)).toEqual([]);
    expect(archive.inFolder(FOLDER)).toEqual([
      { ...kept, key: ax, title: 'Lease x', parties: [], closedAt: NOW - 2, savedAt: NOW },
    ]);
  });

  it('is recorded in no folder if its folder is unknown', () => {
    using place = withNeighbours();
    const { archive, ax } = place;
    archive.record(ax, pdf(), NOW);
    expect(archive.saved(ax)).toMatchObject({ file: pdf().file });
    expect(archive.placed(FOLDER, ax)).toBeNull();
  });

  it('keeps the check result of its seal if only its file is recorded again', () => {
    using place = withNeighbours();
    const { archive, ax } = place;
    archive.record(ax, pdf(), NOW, FOLDER);
    const moved = `${FOLDER}/moved.pdf`;
    archive.record(ax, { file: moved, bytes: 17, sha256: 'ab' }, NOW + 1, FOLDER);
    expect(archive.placed(FOLDER, ax)).toMatchObject({ file: moved, seal: 'covers' });
  });

  it('is renamed alone: no other file of its folder or of its name gets the new name', () => {
    using place = withNeighbours();
    const { archive, ax, ay } = place;
    archive.record(ax, pdf(), NOW, FOLDER);
    archive.record(ax, pdf(), NOW, OTHER_FOLDER);
    archive.record(ay, pdf({ file: `${FOLDER}/y.pdf` }), NOW, FOLDER);
    archive.renamed(FOLDER, [{ from: pdf().file, to: `${FOLDER}/new.pdf` }]);
    expect(archive.placed(FOLDER, ax)?.file).toBe(`${FOLDER}/new.pdf`);
    expect(archive.placed(FOLDER, ay)?.file).toBe(`${FOLDER}/y.pdf`);
    expect(archive.placed(OTHER_FOLDER, ax)?.file).toBe(pdf().file);
  });

  it('is rejected if its agreement is unknown, and only reported if others are recorded with it', () => {
    using place = withNeighbours();
    const { archive, ax, bx } = place;
    const gone = { ...ax, id: idOf('gone') };
    expect(() => archive.record(gone, pdf(), NOW, FOLDER)).toThrowError(
      'gone is not on this computer',
    );
    const files = [ax, gone, bx].map((key) => ({ ...pdf({ file: `/${key.id}` }), key }));
    archive.work.begin([{ file: '/gone', key: gone }]);
    expect(archive.recordAll(files, FOLDER)).toEqual([gone]);
    expect(archive.inFolder(FOLDER)).toHaveLength(2);
    expect(archive.work.list().map(({ file }) => file)).toEqual(['/gone']);
  });

  it('is listed in its folder after files saved earlier', () => {
    using place = withNeighbours();
    const { archive, ax, ay, bx } = place;
    archive.record(ay, pdf({ file: '/2' }), NOW + 2, FOLDER);
    archive.record(bx, pdf({ file: '/1' }), NOW + 1, FOLDER);
    archive.record(ax, pdf({ file: '/3' }), NOW + 3, FOLDER);
    expect(archive.inFolder(FOLDER).map(({ file }) => file)).toEqual(['/1', '/2', '/3']);
  });

  it('is reported as having the content of another file of its folder, never of itself', () => {
    using place = withNeighbours();
    const { archive, ax, ay, bx } = place;
    archive.record(ax, pdf(), NOW, FOLDER);
    expect(archive.sameContent(FOLDER, ax, 'ab')).toBeNull();
    expect(archive.sameContent(OTHER_FOLDER, ay, 'ab')).toBeNull();
    expect(archive.sameContent(FOLDER, ay, 'other')).toBeNull();
    // `ay` is another ID of the same connection, `bx` the same ID of another connection.
    for (const key of [ay, bx]) {
      expect(archive.sameContent(FOLDER, key, 'ab')).toEqual({ ...ax, title: 'Lease x' });
    }
  });
});

describe('the result of reading an archived file again', () => {
  it('is stored for that file and agreement, until it is saved again', () => {
    using place = withNeighbours();
    const { archive, ax } = place;
    const all = [ax, ...othersThan(place, ax)];
    for (const key of all) archive.record(key, pdf(), NOW, FOLDER);
    const { file } = pdf();
    archive.noteFindings(FOLDER, [{ key: ax, file, finding: 'changed' }], NOW + 1);
    archive.noteFindings(FOLDER, [{ key: ax, file: '/another', finding: 'missing' }], NOW + 2);
    const found = () =>
      archive.list(undefined).flatMap(({ connectionId, id, checkedAt, finding }) => {
        return finding === null ? [] : [{ connectionId, id, checkedAt, finding }];
      });
    expect(found()).toEqual([{ ...ax, checkedAt: NOW + 1, finding: 'changed' }]);
    archive.record(ax, pdf(), NOW + 3, FOLDER);
    expect(found()).toEqual([]);
  });

  it('makes the next run read a changed or missing file again, and no other file', () => {
    using place = withNeighbours();
    const { archive, ax, ay, bx, by } = place;
    for (const key of [ax, ay, bx, by]) archive.record(key, pdf(), NOW, FOLDER);
    archive.record(ax, pdf(), NOW, OTHER_FOLDER);
    const { file } = pdf();
    const findings = [
      { key: ax, file, finding: 'changed' },
      { key: ay, file, finding: 'missing' },
      { key: bx, file, finding: 'intact' },
      { key: by, file: '/another', finding: 'missing' },
    ] as const;
    archive.noteFindings(FOLDER, findings, NOW + 1);
    const times = [ax, ay, bx, by].map((key) => archive.placed(FOLDER, key)?.changedAt);
    expect(times).toEqual([null, null, 5, 5]);
    expect(archive.placed(OTHER_FOLDER, ax)?.changedAt).toBe(5);
  });
});

describe('an additional file of an archived PDF', () => {
  it('belongs to one agreement in one folder, and is listed with the folder', () => {
    using place = withNeighbours();
    const { archive, ax, by } = place;
    archive.recordExtra(FOLDER, ax, extra());
    archive.recordExtra(FOLDER, by, extra({ file: '/by' }));
    expect(archive.extras(FOLDER, ax)).toEqual([{ ...extra(), key: ax }]);
    for (const key of othersThan(place, ax).filter((one) => one !== by)) {
      expect(archive.extras(FOLDER, key)).toEqual([]);
    }
    expect(archive.extras(FOLDER)).toHaveLength(2);
    expect([...archive.extras(OTHER_FOLDER), ...archive.extras(OTHER_FOLDER, ax)]).toEqual([]);
  });

  it('replaces a file of the same kind and name, and ends the unfinished work on it', () => {
    using place = withNeighbours();
    const { archive, ax } = place;
    archive.work.begin([{ file: extra().file, key: ax }]);
    archive.work.begin([{ file: '/another', key: ax }]);
    archive.recordExtra(FOLDER, ax, extra());
    archive.recordExtra(FOLDER, ax, extra({ name: 'other', file: '/other' }));
    archive.recordExtra(FOLDER, ax, extra({ file: '/anew' }));
    expect(archive.extras(FOLDER, ax).map(({ file }) => file)).toEqual(['/anew', '/other']);
    expect(archive.work.list().map(({ file }) => file)).toEqual(['/another']);
  });
});

describe('unfinished work on an archive file', () => {
  it('is identified by its file, and counts as complete once its size and hash are stored', () => {
    using place = withNeighbours();
    const { archive, ax, bx } = place;
    archive.work.begin([{ file: '/1', key: ax }]);
    archive.work.begin([{ file: '/2', key: bx }]);
    const whole = { bytes: 17, sha256: 'ab', seal: null };
    archive.work.whole([{ file: '/2', ...whole }]);
    expect(archive.work.list()).toEqual([
      { file: '/1', key: ax, whole: null },
      { file: '/2', key: bx, whole },
    ]);
    archive.record(ax, pdf({ file: '/1' }), NOW, FOLDER);
    expect(archive.work.list().map(({ file }) => file)).toEqual(['/2']);
    archive.work.end(['/2']);
    expect(archive.work.list()).toEqual([]);
  });

  it.each(['bytes', 'sha256'])('counts as incomplete without its %s', (column) => {
    using place = withNeighbours();
    const { archive, ax, database } = place;
    archive.work.begin([{ file: '/1', key: ax }]);
    archive.work.whole([{ file: '/1', bytes: 17, sha256: 'ab', seal: null }]);
    database.command(`UPDATE archive_work SET ${column} = NULL`)();
    expect(archive.work.list()).toEqual([{ file: '/1', key: ax, whole: null }]);
  });
});

describe('the list of the archive', () => {
  const listed = (
    { archive }: ReturnType<typeof withNeighbours>,
    connectionId?: AgreementKey['connectionId'],
  ) => archive.list(connectionId).map(({ id, state }) => `${id} ${state}`);

  it('has signed agreements, last closed first, of one connection or of all', () => {
    using place = withNeighbours();
    const { ax, archive, stores } = place;
    stores.agreements.put(ax.connectionId, 'v1', [remote({ id: 'waiting' })], NOW);
    archive.record(ax, pdf(), NOW, FOLDER);
    expect(listed(place, ax.connectionId)).toEqual(['y not-archived', 'x archived']);
    expect(listed(place).map((line) => line.charAt(0))).toEqual(['y', 'y', 'x', 'x']);
  });

  it('has each file once, even after its agreement or its connection is removed', () => {
    using place = withNeighbours();
    const { ax, ay, bx, archive, stores } = place;
    for (const key of [ax, ay, bx]) archive.record(key, pdf(), NOW, FOLDER);
    stores.agreements.forget([ax], NOW);
    expect(listed(place, ax.connectionId)).toEqual(['y archived', 'x archived']);
    stores.agreements.put(ay.connectionId, 'v1', [remote({ id: 'y', state: 'unknown' })], NOW + 1);
    expect(listed(place, ax.connectionId)).toEqual(['y archived', 'x archived']);
    // Unarchived agreements are removed with their connection.
    stores.connections.remove(bx.connectionId, 'keep', 'keep');
    expect(listed(place, bx.connectionId)).toEqual(['x archived']);
  });

  it('distinguishes agreements deleted on the service', () => {
    using place = withNeighbours();
    place.stores.agreements.markGone(place.ax, 'deleted');
    place.stores.agreements.markGone(place.ay, 'no-access');
    expect(listed(place, place.ax.connectionId)).toEqual([
      'y not-archived',
      'x deleted-on-service',
    ]);
  });

  it('shows whether the PDF can still be downloaded', () => {
    using place = withNeighbours();
    const { ax, ay, bx, by, archive, stores } = place;
    for (const key of [ax, ay, bx, by]) archive.record(key, pdf(), NOW, FOLDER);
    const reachable = (): readonly string[] =>
      archive.list(undefined).flatMap(({ connectionId, id, isOnService }) => {
        return isOnService ? [`${connectionId === ax.connectionId ? 'a' : 'b'}${id}`] : [];
      });
    expect(reachable().toSorted()).toEqual(['ax', 'ay', 'bx', 'by']);
    stores.agreements.markGone(ax, 'deleted');
    stores.agreements.markGone(bx, 'no-access');
    expect(reachable().toSorted()).toEqual(['ay', 'by']);
    stores.agreements.forget([ay], NOW);
    expect(reachable()).toEqual(['by']);
    stores.connections.remove(by.connectionId, 'keep', 'keep');
    expect(reachable()).toEqual([]);
  });
});

it('every folder used for saving is remembered', () => {
  using place = withNeighbours();
  const { archive, database } = place;
  expect(archive.held(FOLDER)).toBe(false);
  archive.holds(FOLDER, NOW);
  archive.holds(FOLDER, NOW + 1);
  expect([archive.held(FOLDER), archive.held(OTHER_FOLDER)]).toEqual([true, false]);
  expect(archive.heldFolders()).toEqual([FOLDER]);
  const Since = z.object({ since: z.number() });
  expect(database.query('SELECT since FROM archive_folder', Since).all()).toEqual([{ since: NOW }]);
});

describe('archive entries about files outside the folder', () => {
  it.each(['/home/person/letter.txt', `${FOLDER}/../letter.txt`, `${FOLDER}x/letter.txt`])(
    'are removed, such as %s, but other entries are not (SR-R6)',
    (file) => {
      using place = withNeighbours();
      const { archive, ax, ay } = place;
      archive.record(ax, pdf({ file }), NOW, FOLDER);
      archive.recordExtra(FOLDER, ax, extra({ file }));
      archive.record(ay, pdf(), NOW, FOLDER);
      archive.recordExtra(FOLDER, ay, extra());
      archive.forgetStrays();
      expect(archive.placed(FOLDER, ax)).toBeNull();
      expect(archive.inFolder(FOLDER).map(({ key }) => key)).toEqual([ay]);
      expect(archive.extras(FOLDER).map(({ key }) => key)).toEqual([ay]);
    },
  );

  it('leave no unfinished work on a file above the folder (SR-R6)', () => {
    using place = withNeighbours();
    const { archive, ax, ay } = place;
    const [up, here] = [`${FOLDER}/../letter.txt`, `${FOLDER}/y.pdf`];
    archive.work.begin([
      { file: up, key: ax },
      { file: here, key: ay },
    ]);
    archive.forgetStrays();
    expect(archive.work.list().map(({ file }) => file)).toEqual([here]);
  });
});
