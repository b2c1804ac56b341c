import type { EvidenceAnchor, EvidenceQuery } from '../../../shared/contract/evidence.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { parseAnchor, writeAnchor } from './anchor-files.ts';
import type { Encoding, Clock, Files, Stores } from '../ports.ts';
import type { EvidenceAnchors } from './anchors.ts';
import { exportCsv, exportJson } from './export.ts';
import type { EvidenceLog } from './log.ts';
import type { StatementPrinter } from './ports.ts';
import { statementOf } from './statement.ts';
import { saveBytes } from '../bytes/save.ts';
import type { ReportWriter } from '../reports/ports.ts';

interface EvidencePorts {
  readonly stores: Stores;
  readonly evidenceLog: EvidenceLog;
  readonly anchors: EvidenceAnchors;
  readonly files: Files;
  readonly reports: ReportWriter;
  readonly printer: StatementPrinter;
  readonly encoding: Encoding;
  readonly clock: Clock;
}

export function createEvidenceHandlers(ports: EvidencePorts): HandlersOf<'evidence'> {
  const { evidence } = ports.stores;
  const log = ports.evidenceLog;
  return {
    'evidence.list': async (query) => ({
      items: [...evidence.list(query)],
      total: evidence.count(query),
    }),
    'evidence.find': async ({ id }) =>
      evidence.connectionsOf(id).flatMap((connectionId) => {
        const key = { connectionId, id };
        const [last] = evidence.list({ key, limit: 1 });
        const connection = last?.connection?.name;
        return connection === undefined ? [] : [{ ...key, connection }];
      }),
    'evidence.verify': async ({ anchors }) => {
      const places = await Promise.all(anchors.map((file) => readAnchor(ports, file)));
      return log.verify([...places, ...(await ports.anchors.read())]);
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
        throw new AppError('not-found', 'There is no evidence for this agreement');
      }
      const verdict = await log.verify(await ports.anchors.read());
      const statement = statementOf(entries, verdict, ports.clock.now());
      const { sha256 } = await saveBytes(ports.files, file, await ports.printer.print(statement));
      return { file, entries: entries.length, sha256 };
    },
    'evidence.anchor': async ({ folder }) => {
      const written = await writeAnchor(ports, folder);
      await ports.anchors.keep();
      return written;
    },
    'evidence.lastAnchor': async () => ports.anchors.state,
  };
}

/** Returns all entries that match the query, oldest first. */
function entriesOf({ stores }: EvidencePorts, query: Pick<EvidenceQuery, 'key' | 'from' | 'to'>) {
  const limit = stores.evidence.count(query);
  return stores.evidence.list({ ...query, limit }).toReversed();
}

/** Reads an anchor file. Throws 'invalid' if it is not one, 'storage' if it cannot be read. */
async function readAnchor({ files }: EvidencePorts, file: string): Promise<EvidenceAnchor> {
  const found = parseAnchor(await files.readText(file));
  if (found !== null) return found;
  throw new AppError('invalid', 'The file is not an anchor file of the evidence log', {
    fields: { anchors: 'not an anchor' },
  });
}
