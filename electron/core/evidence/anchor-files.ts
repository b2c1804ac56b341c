import { EvidenceAnchor } from '../../../shared/contract/evidence.ts';
import { AppError } from '../../../shared/errors.ts';
import { dayOf } from '../../../shared/rules/time/days.ts';
import type { EvidenceLog } from './log.ts';
import type { Clock, Files } from '../ports.ts';

export interface AnchorFilePorts {
  readonly evidenceLog: EvidenceLog;
  readonly files: Files;
  readonly clock: Clock;
}

/** Maximum number of anchor files read per log: one a day for more than a year. */
const MAX_FILES = 400;

/**
 * Writes the end of the log to an anchor file, which the office stores or emails. There is one file
 * per day and log, which is overwritten during the day. Throws 'storage'. Throws 'conflict' with
 * 'evidence-broken', without writing, if the log does not match its newest file in the folder.
 */
export async function writeAnchor(
  ports: AnchorFilePorts,
  folder: string,
): Promise<{ file: string; anchor: EvidenceAnchor }> {
  const { evidenceLog, files, clock } = ports;
  const anchor = evidenceLog.head();
  const newest = (await namesIn(ports, folder)).at(-1);
  if (newest !== undefined) {
    const file = files.join(folder, newest);
    const there = parseAnchor(await files.readText(file));
    if (there !== null && !evidenceLog.holds(there)) {
      const message =
        'The evidence log does not match the anchor file in the folder. Check whether entries of the log were changed';
      throw new AppError('conflict', message, { reason: 'evidence-broken' });
    }
    if (there?.hash === anchor.hash) return { file, anchor: there };
  }
  const file = files.join(folder, `${prefixOf(evidenceLog.name())}${dayOf(clock.now())}.json`);
  await files.replaceText(file, `${JSON.stringify(anchor, null, 2)}\n`);
  return { file, anchor };
}

/** Returns the anchors of this log in a folder, oldest first. Throws 'storage'. */
export async function readAnchors(
  ports: AnchorFilePorts,
  folder: string,
): Promise<readonly EvidenceAnchor[]> {
  const read: EvidenceAnchor[] = [];
  for (const { name, until } of ports.evidenceLog.names()) {
    const anchors = await readAnchorFiles(ports, folder, name);
    // The data that was backed up may still be in use: its log continues under the old name.
    read.push(...anchors.filter(({ at }) => until === null || at < until));
  }
  return read;
}

async function readAnchorFiles(
  ports: AnchorFilePorts,
  folder: string,
  name: string,
): Promise<EvidenceAnchor[]> {
  const { files } = ports;
  const names = (await namesIn(ports, folder, name)).slice(-MAX_FILES);
  const texts = await Promise.all(names.map((one) => files.readText(files.join(folder, one))));
  return texts.flatMap((text) => parseAnchor(text) ?? []);
}

/** Returns the anchor in a text; null if the text is not an anchor. */
export function parseAnchor(text: string): EvidenceAnchor | null {
  try {
    return EvidenceAnchor.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // The parser's message would quote the file; the caller reports the error.
    return null;
  }
}

/** Returns the names of a log's anchor files, oldest first: each name contains the day. */
async function namesIn(
  { evidenceLog, files }: AnchorFilePorts,
  folder: string,
  name = evidenceLog.name(),
): Promise<readonly string[]> {
  const prefix = prefixOf(name);
  const names = await files.prepareFolder(folder);
  return names.filter((name) => name.startsWith(prefix) && name.endsWith('.json')).toSorted();
}

/** Returns a prefix with the log's name, because computers of an office may share a folder. */
function prefixOf(name: string): string {
  return `signing-desk-evidence-${name}-`;
}
