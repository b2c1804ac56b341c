import type { RestoredLocation } from '../../../shared/contract/backup.ts';
import { secretName } from '../services/services.ts';
import type { Files, Stores } from '../ports.ts';
import { BACKUP_REACH_ID, EVIDENCE_REACH_ID, OFFICE_REACH_ID } from '../unconfirmed.ts';
import { toAsciiHost, serviceAddress } from '../../../shared/rules/identifiers/service-address.ts';
import type { StoredBackup } from './ports.ts';
import type { UpdateRecord } from '../updates/ports.ts';

/**
 * Returns the addresses, folders and keys that data from a backup uses, because the creator of the
 * backup chose them.
 */
export function reachesOf(stores: Stores): RestoredLocation[] {
  const { archive, intake, backup, updates, settings } = stores;
  const { archiveFolder } = settings.read();
  const { feed } = updates.read();
  const stored = backup.read();
  const administrator = stored?.plan.administrator ?? null;
  const folders = [...archive.rules.list(), ...intake.rules.list()].map(({ rule }) => rule);
  return [
    ...confirmableReaches(stores),
    ...folders.map(({ id, name, folder }) => toReach(id, 'rule', name, folder)),
    ...(archiveFolder === null ? [] : [toReach('archive', 'archive', '', archiveFolder)]),
    ...(stored === null
      ? []
      : [
          toReach('backups', 'backups', '', stored.plan.folder),
          toReach('recipient', 'recipient', '', stored.recipient),
        ]),
    ...(administrator === null
      ? []
      : [toReach('administrator', 'administrator', '', administrator)]),
    ...(feed === null ? [] : [toReach('updates', 'updates', feed.key, feed.url)]),
  ];
}

type ReachStores = Pick<Stores, 'settings' | 'connections' | 'office'>;

const toReach = (
  id: string,
  kind: RestoredLocation['kind'],
  name: string,
  where: string,
): RestoredLocation => ({
  id,
  kind,
  name,
  where,
});

/**
 * Returns the servers contacted automatically or with a credential, and the folder written to
 * automatically. The user must confirm each of them.
 */
function confirmableReaches({ connections, office, settings }: ReachStores): RestoredLocation[] {
  const { evidenceFolder } = settings.read();
  const services = connections
    .list()
    // The environment alone does not exempt a connection: a malicious backup may declare any
    // address as demo.
    .filter(({ environment, api, url }) => environment !== 'demo' || url !== `demo:${api}`)
    // The address is shown in the form in which it is contacted, because characters of other
    // alphabets may look like Latin ones.
    .map(({ id, name, url }) => toReach(secretName(id), 'connection', name, serviceAddress(url)));
  const folders =
    evidenceFolder === null ? [] : [toReach(EVIDENCE_REACH_ID, 'evidence', '', evidenceFolder)];
  const membership = office.membership();
  if (membership === null) return [...services, ...folders];
  const { host, port, database } = membership.address;
  const where = `${toAsciiHost(host)}:${String(port)}/${database}`;
  return [...services, toReach(OFFICE_REACH_ID, 'office', membership.name, where), ...folders];
}

/**
 * Blocks the servers in restored data and all backups until the user confirms each of them. Removes
 * network folders, except those of rules, which are paused. Updates come from this computer's own
 * source: `own` is its record before the restore, null if there was none.
 */
export function blockUntilConfirmed(
  stores: Stores,
  own: UpdateRecord | null,
  { resolveLocal }: Pick<Files, 'resolveLocal'>,
): void {
  const { evidenceFolder, archiveFolder } = stores.settings.read();
  // A network folder is removed, because its path names a server.
  const here = (folder: string | null) =>
    folder === null || resolveLocal(folder) === null ? null : folder;
  // An archive run overwrites files that are recorded as saved: a malicious backup may have
  // recorded any path.
  stores.archive.forgetStrays();
  // A run looks for a moved archive in folders that held one before: network folders are excluded.
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
  const waiting = confirmableReaches(stores).map(({ id }) => id);
  stores.settings.write({ unconfirmed: areBackupsHere ? [...waiting, BACKUP_REACH_ID] : waiting });
  stores.updates.write(own ?? { feed: null, checkedAt: null, offered: null, highest: null });
}

/**
 * Returns the public keys (age) that encrypt the backups. The private key of any of them opens the
 * backups.
 */
export const recipientKeysOf = ({
  recipient,
  plan,
}: Pick<StoredBackup, 'recipient' | 'plan'>): string[] =>
  plan.administrator === null ? [recipient] : [recipient, plan.administrator];

/** Returns the addresses and folders that the user has not confirmed yet. */
export function unconfirmedReaches(stores: ReachStores): RestoredLocation[] {
  const { unconfirmed } = stores.settings.read();
  if (unconfirmed.length === 0) return [];
  return confirmableReaches(stores).filter(({ id }) => unconfirmed.includes(id));
}
