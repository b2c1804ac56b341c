import type { Reach } from '../../../shared/contract/backup.ts';
import { secretName } from '../services/services.ts';
import type { Files, Stores } from '../ports.ts';
import { OFFICE_REACH } from '../unconfirmed.ts';
import type { UpdateRecord } from '../updates/ports.ts';

/** What data out of a backup would reach, and whom it trusts: whoever made the backup chose that. */
export function reachesOf(stores: Stores): Reach[] {
  const { archive, intake, backup, updates, settings } = stores;
  const { evidenceFolder } = settings.read();
  const { feed } = updates.read();
  const administrator = backup.read()?.plan.administrator ?? null;
  const folders = [...archive.rules.list(), ...intake.rules.list()].map(({ rule }) => rule);
  return [
    ...confirmable(stores),
    ...folders.map(({ id, name, folder }) => reach(id, 'rule', name, folder)),
    ...(evidenceFolder === null ? [] : [reach('evidence', 'evidence', '', evidenceFolder)]),
    ...(administrator === null ? [] : [reach('administrator', 'administrator', '', administrator)]),
    ...(feed === null ? [] : [reach('updates', 'updates', feed.key, feed.url)]),
  ];
}

const reach = (id: string, kind: Reach['kind'], name: string, where: string): Reach => ({
  id,
  kind,
  name,
  where,
});

/** Servers that are asked or told by themselves, or with a credential: each waits for a person's word. */
function confirmable({ connections, office }: Pick<Stores, 'connections' | 'office'>): Reach[] {
  const services = connections
    .list()
    .filter(({ environment }) => environment !== 'demo')
    .map(({ id, name, url }) => reach(secretName(id), 'connection', name, url));
  const membership = office.membership();
  if (membership === null) return services;
  const { host, port, database } = membership.address;
  const where = `${host}:${String(port)}/${database}`;
  return [...services, reach(OFFICE_REACH, 'office', membership.name, where)];
}

/**
 * Nothing goes to these servers before a person has confirmed each, and newer versions come from where this
 * computer was told: `own` is what it knew of that before, null where it knew nothing.
 */
export function holdBack(
  stores: Stores,
  own: UpdateRecord | null,
  { resolveLocal }: Pick<Files, 'resolveLocal'>,
): void {
  const { evidenceFolder } = stores.settings.read();
  // It is written to by itself, and a path of a network names a server.
  const isHere = evidenceFolder !== null && resolveLocal(evidenceFolder) !== null;
  stores.settings.write({
    unconfirmed: confirmable(stores).map(({ id }) => id),
    evidenceFolder: isHere ? evidenceFolder : null,
  });
  stores.updates.write(own ?? { feed: null, checkedAt: null, offered: null, highest: null });
}

type Kept = Pick<Stores, 'settings' | 'connections' | 'office'>;

/** Those that a person has not confirmed yet. */
export function unconfirmedOf(stores: Kept): Reach[] {
  const { unconfirmed } = stores.settings.read();
  if (unconfirmed.length === 0) return [];
  return confirmable(stores).filter(({ id }) => unconfirmed.includes(id));
}
