import type { Reach } from '../../../shared/contract/backup.ts';
import { secretName } from '../services/services.ts';
import type { Files, Stores } from '../ports.ts';
import { BACKUP_REACH, EVIDENCE_REACH, OFFICE_REACH } from '../unconfirmed.ts';
import {
  hostAsReached,
  serviceAddress,
} from '../../../shared/rules/identifiers/service-address.ts';
import type { StoredBackup } from './ports.ts';
import type { UpdateRecord } from '../updates/ports.ts';

/** What data out of a backup would reach, and whom it trusts: whoever made the backup chose that. */
export function reachesOf(stores: Stores): Reach[] {
  const { archive, intake, backup, updates, settings } = stores;
  const { archiveFolder } = settings.read();
  const { feed } = updates.read();
  const stored = backup.read();
  const administrator = stored?.plan.administrator ?? null;
  const folders = [...archive.rules.list(), ...intake.rules.list()].map(({ rule }) => rule);
  return [
    ...confirmable(stores),
    ...folders.map(({ id, name, folder }) => reach(id, 'rule', name, folder)),
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

type Kept = Pick<Stores, 'settings' | 'connections' | 'office'>;

const reach = (id: string, kind: Reach['kind'], name: string, where: string): Reach => ({
  id,
  kind,
  name,
  where,
});

/**
 * Servers that are asked or told by themselves, or with a credential, and the folder that is written to
 * unasked: each waits for a person's word.
 */
function confirmable({ connections, office, settings }: Kept): Reach[] {
  const { evidenceFolder } = settings.read();
  const services = connections
    .list()
    // The maker of a backup may call any address a demo.
    .filter(({ environment, api, url }) => environment !== 'demo' || url !== `demo:${api}`)
    // As it is reached: letters of other alphabets look like ours.
    .map(({ id, name, url }) => reach(secretName(id), 'connection', name, serviceAddress(url)));
  const folders =
    evidenceFolder === null ? [] : [reach(EVIDENCE_REACH, 'evidence', '', evidenceFolder)];
  const membership = office.membership();
  if (membership === null) return [...services, ...folders];
  const { host, port, database } = membership.address;
  const where = `${hostAsReached(host)}:${String(port)}/${database}`;
  return [...services, reach(OFFICE_REACH, 'office', membership.name, where), ...folders];
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
  // A run writes over a file where it says that it saved one: its maker may have written any path there.
  stores.archive.forgetStrays();
  // An archive that seems to have been moved is looked for in the folders that held one.
  for (const folder of stores.archive.heldFolders()) {
    if (here(folder) === null) stores.archive.forgetLists(folder);
  }
  const backups = stores.backup.read();
  const areBackupsHere = here(backups?.plan.folder ?? null) !== null;
  if (backups !== null && !areBackupsHere) stores.backup.remove();
  stores.settings.write({
    evidenceFolder: here(evidenceFolder),
    archiveFolder: here(archiveFolder),
  });
  const waiting = confirmable(stores).map(({ id }) => id);
  stores.settings.write({ unconfirmed: areBackupsHere ? [...waiting, BACKUP_REACH] : waiting });
  stores.updates.write(own ?? { feed: null, checkedAt: null, offered: null, highest: null });
}

/** Public keys of age: whoever has the private one of any opens the backups. */
export const keysOf = ({ recipient, plan }: Pick<StoredBackup, 'recipient' | 'plan'>): string[] =>
  plan.administrator === null ? [recipient] : [recipient, plan.administrator];

/** Those that a person has not confirmed yet. */
export function unconfirmedOf(stores: Kept): Reach[] {
  const { unconfirmed } = stores.settings.read();
  if (unconfirmed.length === 0) return [];
  return confirmable(stores).filter(({ id }) => unconfirmed.includes(id));
}
