import type { IntakeTerms } from '../../../shared/contract/intake.ts';
import { foldName } from '../../../shared/rules/files/file-name.ts';
import { intakeKind, isTextSheet } from '../../../shared/rules/intake/names.ts';
import type { Clock, Encoding, Sha256, Stores } from '../ports.ts';
import type { FolderEntry, Sight, WatchedFolders } from './ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** A file that stays the same for so long is taken for whole. */
export const STEADY_MS = 2000;
/**
 * A text shows no end of its own: whoever writes its rows may pause, and would write on in the file that was moved. A
 * workbook, a PDF and JSON that end too early cannot be read.
 */
export const TEXT_STEADY_MS = MINUTE;
/**
 * A scanner may write the next page after minutes: what is no whole file is refused only when it
 * stays the same for so long.
 */
export const SETTLED_MS = 10 * MINUTE;

export interface LookPorts {
  readonly stores: Pick<Stores, 'intake'>;
  readonly watched: WatchedFolders;
  readonly clock: Clock;
  readonly sha256: Sha256;
  readonly encoding: Encoding;
}

/** A file that lies there, and for how long it has been as it is. */
export interface SeenFile extends FolderEntry {
  /** SHA-256 of the name as every file system compares it; as it stands where two would be one. */
  readonly nameHash: string;
  readonly isSteady: boolean;
  readonly isSettled: boolean;
  /** Since when a file of this name lies there, epoch milliseconds by this computer, whatever was changed in it. */
  readonly arrivedAt: number;
}

/**
 * All that lies in the folder and is meant for us, by name. With `notes` it is remembered, so that
 * the next look tells what changed since. Throws 'storage'.
 */
export async function lookInto(
  ports: LookPorts,
  { folder }: Pick<IntakeTerms, 'folder'>,
  notes: boolean,
): Promise<readonly SeenFile[]> {
  const { stores, watched, clock } = ports;
  const entries = meant(await watched.list(folder));
  const now = clock.now();
  const before = new Map(stores.intake.sights(folder).map((one) => [one.nameHash, one]));
  const changed: Sight[] = [];
  const folded = Map.groupBy(entries, ({ name }) => foldName(name));
  const seen = entries.map((entry): SeenFile => {
    const { bytes, changedAt } = entry;
    // Some file systems keep files apart whose names others take for one.
    const isAlone = folded.get(foldName(entry.name))?.length === 1;
    const nameHash = isAlone ? hashOfName(ports, entry.name) : hashOf(ports, entry.name);
    const known = before.get(nameHash);
    before.delete(nameHash);
    // A clock that was put back says nothing of how long that is.
    const isAsBefore =
      known !== undefined &&
      known.bytes === bytes &&
      known.changedAt === changedAt &&
      known.since <= now;
    const since = isAsBefore ? known.since : now;
    if (!isAsBefore) changed.push({ nameHash, bytes, changedAt, since });
    const arrival = arrivalOf(ports, nameHash);
    const arrivedAt = before.get(arrival)?.since ?? now;
    if (!before.delete(arrival) && isAboutOthers(entry)) {
      changed.push({ nameHash: arrival, bytes: 0, changedAt: 0, since: arrivedAt });
    }
    return {
      ...entry,
      nameHash,
      isSteady:
        now - since >= STEADY_MS && Math.max(now - since, now - changedAt) >= steadyAfter(entry),
      // Whoever copies a file gives it its old time when all of it is there.
      isSettled: now - since >= SETTLED_MS || now - changedAt >= SETTLED_MS,
      arrivedAt,
    };
  });
  if (notes) stores.intake.keepSights(folder, changed, [...before.keys()]);
  return seen;
}

/** For how long a file has to be as it is, by its time of change or as it was seen. */
export const steadyAfter = ({ name }: Pick<FolderEntry, 'name'>): number =>
  isTextSheet(name) ? TEXT_STEADY_MS : STEADY_MS;

/** It was moved away: a file that has its name from now on is another one, also before the next look. */
export function forgetSight(
  ports: Pick<LookPorts, 'stores' | 'sha256' | 'encoding'>,
  { folder }: Pick<IntakeTerms, 'folder'>,
  { nameHash }: Pick<SeenFile, 'nameHash'>,
): void {
  ports.stores.intake.keepSights(folder, [], [nameHash, arrivalOf(ports, nameHash)]);
}

/** Stands among the names of the files that were seen, and is none. */
const arrivalOf = (ports: Pick<LookPorts, 'sha256' | 'encoding'>, nameHash: string): string =>
  hashOf(ports, `arrived ${nameHash}`);

const isAboutOthers = ({ name }: FolderEntry): boolean =>
  intakeKind(name) === 'json' || intakeKind(name) === 'sheet';

export function hashOfName(ports: Pick<LookPorts, 'sha256' | 'encoding'>, name: string): string {
  return hashOf(ports, foldName(name));
}

const hashOf = ({ sha256, encoding }: Pick<LookPorts, 'sha256' | 'encoding'>, text: string) =>
  sha256(encoding.utf8(text));

function meant(entries: readonly FolderEntry[]): readonly FolderEntry[] {
  return entries
    .filter(({ kind, name }) => kind !== 'folder' && intakeKind(name) !== 'passing')
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The same text for the same files as they are. */
export function signatureOf(entries: readonly FolderEntry[]): string {
  return meant(entries)
    .map(({ name, bytes, changedAt }) => `${name}/${bytes}/${changedAt}`)
    .join('\n');
}
