import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';
import { GroupId, PersonId } from '../../../shared/contract/people.ts';
import { IdentityId } from '../../../shared/model/ids.ts';
import { idOf, newConnection, remote } from './samples.ts';
import { NOW, tempDatabase } from './temp-database.ts';

const notFound = expect.objectContaining({
  failure: expect.objectContaining({ code: 'not-found' }),
});

describe('settings', () => {
  it('start with defaults and keep changes', () => {
    using place = tempDatabase();
    const { settings } = place.stores;
    expect(settings.read()).toMatchObject({ theme: 'system', holdSeconds: 10, language: null });
    const changed = settings.write({ holdSeconds: 0, language: 'sv', archiveFolder: '/archive' });
    expect(changed).toEqual({ ...settings.read(), holdSeconds: 0, language: 'sv' });
    expect(settings.write({ language: null })).toEqual({ ...changed, language: null });
  });

  it('are reported as damaged, not replaced by defaults, if they are unreadable', () => {
    using place = tempDatabase();
    place.database.command("INSERT INTO setting VALUES ('theme', '\"plaid\"')")();
    expect(() => place.stores.settings.read()).toThrowError('settings');
  });
});

describe('signing identities', () => {
  const newIdentity = { name: 'Maria', firstName: 'Maria', lastName: 'Berg' };

  it('keep the personal number and show it masked (TX-55)', () => {
    using place = tempDatabase();
    const { identities } = place.stores;
    const id = IdentityId.parse(randomUUID());
    const added = identities.insert(id, { ...newIdentity, personNumber: '19121212-1212' });
    expect(added).toMatchObject({
      personNumber: '19121212-1212',
      personNumberMasked: '19121212-••••',
      orgNo: null,
    });
    expect(identities.list()).toEqual([added]);
    expect(identities.get(id)).toEqual(added);
  });

  it('do not need a personal number, and can be removed', () => {
    using place = tempDatabase();
    const { identities } = place.stores;
    const id = IdentityId.parse(randomUUID());
    expect(identities.insert(id, newIdentity).personNumberMasked).toBeNull();
    identities.remove(id);
    expect(() => identities.get(id)).toThrowError(notFound);
    expect(() => {
      identities.remove(id);
    }).toThrowError(notFound);
  });
});

describe('people and groups', () => {
  it('are reported as missing when unknown or removed', () => {
    using place = tempDatabase();
    const { people } = place.stores;
    const id = GroupId.parse(randomUUID());
    people.addGroup(id, 'Both of us', NOW);
    people.removeGroup(id);
    expect(people.groups()).toEqual([]);
    expect(() => people.removeGroup(id)).toThrowError(notFound);
    expect(() => people.group(id)).toThrowError(notFound);
    expect(() => people.get(PersonId.parse(randomUUID()))).toThrowError(notFound);
    expect(() => people.remove(PersonId.parse(randomUUID()))).toThrowError(notFound);
  });
});

describe('the archive store', () => {
  function withSigned() {
    const place = tempDatabase();
    const connection = newConnection();
    place.stores.connections.save(connection);
    const signed = remote({ title: 'Signed', state: 'signed', closedAt: NOW, deletesAt: NOW + 9 });
    place.stores.agreements.put(connection.id, 'v1', [signed, remote()], NOW);
    const key = { connectionId: connection.id, id: idOf(signed.id) };
    return Object.assign(place, { key, signed });
  }
  const file = { file: '/archive/signed.pdf', bytes: 17, sha256: 'cd' };

  it('lists signed agreements, and where they were saved', () => {
    using place = withSigned();
    const { archive, agreements } = place.stores;
    expect(archive.list(undefined)).toMatchObject([
      { title: 'Signed', state: 'not-archived', file: null, deletesAt: NOW + 9 },
    ]);
    expect(archive.saved(place.key)).toBeNull();
    archive.record(place.key, file, NOW + 1);
    expect(archive.saved(place.key)).toMatchObject(file);
    expect(archive.list(place.key.connectionId)).toMatchObject([
      { state: 'archived', file: file.file, sha256: 'cd', savedAt: NOW + 1 },
    ]);
    expect(agreements.details(place.key)).toMatchObject({
      archivedAt: NOW + 1,
      archivedFile: file.file,
    });
  });

  it('keeps agreements deleted on the service, and reports lost files (T1-20)', () => {
    using place = withSigned();
    const { archive, agreements } = place.stores;
    agreements.markGone(place.key, 'deleted');
    expect(archive.list(undefined)).toMatchObject([{ state: 'deleted-on-service', file: null }]);
    archive.record(place.key, file, NOW);
    expect(archive.list(undefined)).toMatchObject([{ state: 'archived', file: file.file }]);
  });

  it('replaces the first file of an agreement by the second', () => {
    using place = withSigned();
    const { archive } = place.stores;
    archive.record(place.key, file, NOW);
    archive.record(place.key, { ...file, file: '/archive/again.pdf' }, NOW + 1);
    expect(archive.saved(place.key)?.file).toBe('/archive/again.pdf');
    expect(archive.list(undefined)).toHaveLength(1);
  });
});

describe('the items of an office', () => {
  it('that a computer cannot store yet are listed for each kind alone', () => {
    using place = tempDatabase();
    const { office } = place.stores;
    const seat = OfficeUserId.parse(randomUUID());
    const put = (kind: 'person' | 'group', id: string, isHere: boolean) =>
      office.putItem({ kind, id, version: 1, content: null, seat, open: [], isHere });
    put('person', 'stored', true);
    put('person', 'late', false);
    put('group', 'late too', false);
    expect(office.late('person').map(({ id }) => id)).toEqual(['late']);
    expect(office.late('group').map(({ id }) => id)).toEqual(['late too']);
  });
});
