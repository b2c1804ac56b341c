import type { IntakeTerms } from '../../../shared/contract/intake.ts';
import { foldName } from '../../../shared/rules/files/file-name.ts';
import { intakeKind, isTextSheet } from '../../../shared/rules/intake/names.ts';
import type { Clock, Encoding, Sha256, Stores } from '../ports.ts';
import type { FolderEntry, FileObservation, WatchedFolders } from './ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** A file unchanged for this long (ms) counts as complete. */
export const STEADY_MS = 2000;
/**
 * Time (ms) after which an unchanged text file counts as complete. A text file has no end mark: its
 * writer may pause, and would continue in the moved file. Incomplete workbooks, PDFs and JSON files
 * cannot be read, so a shorter time is enough for them.
 */
export const TEXT_STEADY_MS = MINUTE;
/**
 * Time (ms) without changes after which an incomplete file is refused: a scanner may add the next
 * page after minutes.
 */
export const SETTLED_MS = 10 * MINUTE;

export interface LookPorts {
  readonly stores: Pick<Stores, 'intake'>;
  readonly watched: WatchedFolders;
  readonly clock: Clock;
  readonly sha256: Sha256;
  readonly encoding: Encoding;
}

/** A file in the folder, with how long it has been unchanged. */
export interface SeenFile extends FolderEntry {
  /**
   * SHA-256 of the name, folded so that it is equal on all file systems; of the exact name if two
   * names in the folder fold to the same text.
   */
  readonly nameHash: string;
  readonly isSteady: boolean;
  readonly isSettled: boolean;
  /**
   * First time a file with this name was seen (epoch ms, this computer's clock), regardless of
   * changes.
   */
  readonly arrivedAt: number;
}

/**
 * Returns the importable files of the folder, by name. With `notes`, the state is saved for
 * comparison at the next check. Throws 'storage'.
 */
export async function listImportableFiles(
  ports: LookPorts,
  { folder }: Pick<IntakeTerms, 'folder'>,
  notes: boolean,
): Promise<readonly SeenFile[]> {
  const { stores, watched, clock } = ports;
  const entries = importableEntries(await watched.list(folder));
  const now = clock.now();
  const before = new Map(stores.intake.sights(folder).map((one) => [one.nameHash, one]));
  const changed: FileObservation[] = [];
  const folded = Map.groupBy(entries, ({ name }) => foldName(name));
  const seen = entries.map((entry): SeenFile => {
    const { bytes, changedAt } = entry;
    // Some file systems treat names as different that others treat as the same.
    const isAlone = folded.get(foldName(entry.name))?.length === 1;
    const nameHash = isAlone ? hashOfName(ports, entry.name) : hashOf(ports, entry.name);
    const known = before.get(nameHash);
    before.delete(nameHash);
    // If the clock was set back, the duration is unknown.
    const isAsBefore =
      known !== undefined &&
      known.bytes === bytes &&
      known.changedAt === changedAt &&
      known.since <= now;
    const since = isAsBefore ? known.since : now;
    if (!isAsBefore) changed.push({ nameHash, bytes, changedAt, since });
    const arrival = arrivalOf(ports, nameHash);
    const arrivedAt = before.get(arrival)?.since ?? now;
    if (!before.delete(arrival) && isDataFile(entry)) {
      changed.push({ nameHash: arrival, bytes: 0, changedAt: 0, since: arrivedAt });
    }
    return {
      ...entry,
      nameHash,
      isSteady:
        now - since >= STEADY_MS &&
        Math.max(now - since, now - changedAt) >= requiredSteadyMs(entry),
      // A copied file gets its old modification time once it is complete.
      isSettled: now - since >= SETTLED_MS || now - changedAt >= SETTLED_MS,
      arrivedAt,
    };
  });
  if (notes) stores.intake.keepSights(folder, changed, [...before.keys()]);
  return seen;
}

/** Returns the required time (ms) without changes, by modification time or by observation. */
export const requiredSteadyMs = ({ name }: Pick<FolderEntry, 'name'>): number =>
  isTextSheet(name) ? TEXT_STEADY_MS : STEADY_MS;

/**
 * Forgets the state of a moved file: a later file with the same name is a new one, even before the
 * next check.
 */
export function forgetFileState(
  ports: Pick<LookPorts, 'stores' | 'sha256' | 'encoding'>,
  { folder }: Pick<IntakeTerms, 'folder'>,
  { nameHash }: Pick<SeenFile, 'nameHash'>,
): void {
  ports.stores.intake.keepSights(folder, [], [nameHash, arrivalOf(ports, nameHash)]);
}

/** Returns the entry for the arrival time, stored like a file name hash. */
const arrivalOf = (ports: Pick<LookPorts, 'sha256' | 'encoding'>, nameHash: string): string =>
  hashOf(ports, `arrived ${nameHash}`);

const isDataFile = ({ name }: FolderEntry): boolean =>
  intakeKind(name) === 'json' || intakeKind(name) === 'sheet';

export function hashOfName(ports: Pick<LookPorts, 'sha256' | 'encoding'>, name: string): string {
  return hashOf(ports, foldName(name));
}

const hashOf = ({ sha256, encoding }: Pick<LookPorts, 'sha256' | 'encoding'>, text: string) =>
  sha256(encoding.utf8(text));

function importableEntries(entries: readonly FolderEntry[]): readonly FolderEntry[] {
  return entries
    .filter(({ kind, name }) => kind !== 'folder' && intakeKind(name) !== 'passing')
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns a text that is equal for the same files in the same state. */
export function signatureOf(entries: readonly FolderEntry[]): string {
  return importableEntries(entries)
    .map(({ name, bytes, changedAt }) => `${name}/${bytes}/${changedAt}`)
    .join('\n');
}
