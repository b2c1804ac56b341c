import { EvidenceAnchor, type EvidenceQuery } from '../../shared/contract/evidence.ts';
import type { HandlersOf } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/errors.ts';
import { dayOf } from '../../shared/rules/days.ts';
import type { Encoding } from './draft-ports.ts';
import { exportCsv, exportJson } from './evidence-export.ts';
import type { EvidenceLog } from './evidence-log.ts';
import type { StatementPrinter } from './evidence-ports.ts';
import { statementOf } from './evidence-statement.ts';
import { saveBytes } from './save-bytes.ts';
import type { Clock, Files, Stores } from './ports.ts';
import type { ReportWriter } from './report-ports.ts';

interface EvidencePorts {
  readonly stores: Stores;
  readonly evidenceLog: EvidenceLog;
  readonly files: Files;
  readonly reports: ReportWriter;
  readonly printer: StatementPrinter;
  readonly encoding: Encoding;
  readonly clock: Clock;
}

/** The log of reviews, approvals and signatures: to look at, to prove and to hand over. */
export function createEvidence(ports: EvidencePorts): HandlersOf<'evidence'> {
  const { evidence } = ports.stores;
  const log = ports.evidenceLog;
  return {
    'evidence.list': async (query) => ({
      items: [...evidence.list(query)],
      total: evidence.count(query),
    }),
    'evidence.verify': async ({ anchors }) => {
      const places = await Promise.all(anchors.map((file) => readAnchor(ports, file)));
      return log.verify(places);
    },
    'evidence.export': async ({ file, form, ...query }) => {
      const entries = entriesOf(ports, query);
      const data =
        form === 'json'
          ? exportJson(entries, log.head(), ports.encoding)
          : await exportCsv(entries, ports.reports);
      const { sha256 } = await saveBytes(ports.files, file, data);
      return { file, entries: entries.length, sha256 };
    },
    'evidence.statement': async ({ file, ...key }) => {
      const entries = entriesOf(ports, { key });
      if (entries.length === 0) {
        throw new AppError('not-found', 'There is no evidence about this agreement');
      }
      const verdict = await log.verify([]);
      const statement = statementOf(entries, verdict, ports.clock.now());
      const { sha256 } = await saveBytes(ports.files, file, await ports.printer.print(statement));
      return { file, entries: entries.length, sha256 };
    },
    'evidence.anchor': ({ folder }) => writeAnchor(ports, folder),
  };
}

/** Oldest first. */
function entriesOf({ stores }: EvidencePorts, query: Pick<EvidenceQuery, 'key' | 'from' | 'to'>) {
  const limit = stores.evidence.count(query);
  return stores.evidence.list({ ...query, limit }).toReversed();
}

/** One file per day, written over during the day: the office keeps them, or mails them. */
export async function writeAnchor(
  ports: Pick<EvidencePorts, 'evidenceLog' | 'files' | 'clock'>,
  folder: string,
): Promise<{ file: string; anchor: EvidenceAnchor }> {
  const { evidenceLog, files, clock } = ports;
  const anchor = evidenceLog.head();
  await files.prepareFolder(folder);
  const file = files.join(folder, `signing-desk-evidence-${dayOf(clock.now())}.json`);
  await files.replaceText(file, `${JSON.stringify(anchor, null, 2)}\n`);
  await evidenceLog.note();
  return { file, anchor };
}

/** Throws 'invalid' when the file is no anchor, 'storage' when it cannot be read. */
async function readAnchor({ files }: EvidencePorts, file: string): Promise<EvidenceAnchor> {
  const found = EvidenceAnchor.safeParse(parsed(await files.readText(file)));
  if (found.success) return found.data;
  throw new AppError('invalid', 'This file is no anchor of the evidence', {
    fields: { anchors: 'not an anchor' },
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the file; what it is not is said by the caller.
    return null;
  }
}
