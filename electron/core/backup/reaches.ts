import type { Reach } from '../../../shared/contract/backup.ts';
import { secretName } from '../services/services.ts';
import type { Files, Stores } from '../ports.ts';
import { BACKUP_REACH, OFFICE_REACH } from '../unconfirmed.ts';
import type { StoredBackup } from './ports.ts';
import type { UpdateRecord } from '../updates/ports.ts';

/** What data out of a backup would reach, and whom it trusts: whoever made the backup chose that. */
export function reachesOf(stores: Stores): Reach[] {
  const { archive, intake, backup, updates, settings } = stores;
  const { evidenceFolder, archiveFolder } = settings.read();
  const { feed } = updates.read();
  const stored = backup.read();
  const administrator = stored?.plan.administrator ?? null;
  const folders = [...archive.rules.list(), ...intake.rules.list()].map(({ rule }) => rule);
  return [
    ...confirmable(stores),
    ...folders.map(({ id, name, folder }) => reach(id, 'rule', name, folder)),
    ...(evidenceFolder === null ? [] : [reach('evidence', 'evidence', '', evidenceFolder)]),
    ...(archiveFolder === null ? [] : [reach('archive', 'archive', '', archiveFolder)]),
    ...(stored === null
      ? []
      : [
          reach('backups', 'backups', '', stored.plan.folder),
          reach('recipient', 'recipient', '', stored.recipient),
        ]),
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
 * Nothing goes to these servers, and no backup is made, before a person has confirmed each; folders of a
 * network are left out, but for those of rules, which are paused. Newer versions come from where this
 * computer was told: `own` is what it knew of that before, null where it knew nothing.
 */
export function holdBack(
  stores: Stores,
  own: UpdateRecord | null,
  { resolveLocal }: Pick<Files, 'resolveLocal'>,
): void {
  const { evidenceFolder, archiveFolder } = stores.settings.read();
  // A path of a network names a server.
  const here = (folder: string | null) =>
    folder === null || resolveLocal(folder) === null ? null : folder;
  const backups = stores.backup.read();
  const areBackupsHere = here(backups?.plan.folder ?? null) !== null;
  if (backups !== null && !areBackupsHere) stores.backup.remove();
  const waiting = confirmable(stores).map(({ id }) => id);
  stores.settings.write({
    unconfirmed: areBackupsHere ? [...waiting, BACKUP_REACH] : waiting,
    evidenceFolder: here(evidenceFolder),
    archiveFolder: here(archiveFolder),
  });
  stores.updates.write(own ?? { feed: null, checkedAt: null, offered: null, highest: null });
}

/** Public keys of age: whoever has the private one of any opens the backups. */
export const keysOf = ({ recipient, plan }: Pick<StoredBackup, 'recipient' | 'plan'>): string[] =>
  plan.administrator === null ? [recipient] : [recipient, plan.administrator];

type Kept = Pick<Stores, 'settings' | 'connections' | 'office'>;

/** Those that a person has not confirmed yet. */
export function unconfirmedOf(stores: Kept): Reach[] {
  const { unconfirmed } = stores.settings.read();
  if (unconfirmed.length === 0) return [];
  return confirmable(stores).filter(({ id }) => unconfirmed.includes(id));
}
