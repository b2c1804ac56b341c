import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { ArchiveExtraFile } from '../../../shared/contract/archive.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { documentName } from '../../../shared/rules/files/document-name.ts';
import { foldName } from '../../../shared/rules/files/file-name.ts';
import { acceptMimeType } from '../bytes/accept.ts';
import { type FreshCopyPorts, readFreshAgreement } from '../services/fresh-copy.ts';
import type { ArchivedExtra } from './ports.ts';
import { downloadOf } from '../chunks.ts';
import type { Encoding, Download, Files, Stores } from '../ports.ts';
import type { EvidenceLog } from '../evidence/log.ts';
import type { StatementPrinter } from '../evidence/ports.ts';
import { statementOf } from '../evidence/statement.ts';

export interface ExtraPorts extends FreshCopyPorts {
  readonly stores: Stores;
  readonly files: Files;
  readonly evidenceLog: EvidenceLog;
  readonly printer: StatementPrinter;
  readonly encoding: Encoding;
}

/** Location of the sidecar files of one PDF. */
export interface ExtraFilesPlace {
  readonly folder: string;
  /** Name of the PDF without its extension; every sidecar file name begins with it. */
  readonly stem: string;
  readonly taken: Set<string>;
}

interface WantedExtra {
  readonly kind: ArchiveExtraFile;
  readonly name: string;
  readonly mimeType: string | null;
  readonly open: () => Promise<Download>;
}

/** Maximum number of evidence entries in a statement: more than any agreement has. */
const MAX_ENTRIES = 200;

/**
 * Returns the sidecar files that a rule requires and that are missing; makes several calls to the
 * service.
 */
export async function missingExtraFiles(
  ports: ExtraPorts,
  { connectionId, id, api }: Agreement,
  kinds: readonly ArchiveExtraFile[],
  known: readonly ArchivedExtra[],
  signal: AbortSignal,
): Promise<readonly WantedExtra[]> {
  const key = { connectionId, id };
  const isKnown = (kind: string, name: string) =>
    known.some((one) => one.kind === kind && one.name === name);
  const wanted: WantedExtra[] = [];
  for (const kind of kinds) {
    switch (kind) {
      case 'attachments':
        // API v2 provides attachments only inside the PDF.
        if (api === 'v1' && !known.some((one) => one.kind === kind)) {
          wanted.push(...(await findAttachments(ports, key, signal)));
        }
        break;
      case 'json':
        if (!isKnown(kind, 'answer')) wanted.push(rawAnswer(ports, key, 'json', signal));
        break;
      case 'xml':
        // API v1 has no XML.
        if (api === 'v2' && !isKnown(kind, 'answer')) {
          wanted.push(rawAnswer(ports, key, 'xml', signal));
        }
        break;
      case 'evidence':
        wanted.push(...evidenceOf(ports, key).filter(({ name }) => !isKnown(kind, name)));
    }
  }
  return wanted;
}

/** Saves one sidecar file; throws if it cannot be saved. */
export async function saveExtraFile(
  { files, clock }: Pick<ExtraPorts, 'files' | 'clock'>,
  { folder, stem, taken }: ExtraFilesPlace,
  { kind, name, mimeType, open }: WantedExtra,
  signal: AbortSignal,
): Promise<ArchivedExtra> {
  const fileName = documentName({ name: `${stem} - ${name}`, mimeType }, taken);
  taken.add(foldName(fileName));
  const path = files.join(folder, fileName);
  const saved = await files.saveNew(path, await open(), acceptMimeType(mimeType), signal);
  return { ...saved, kind, name, savedAt: clock.now() };
}

async function findAttachments(
  ports: ExtraPorts,
  key: AgreementKey,
  signal: AbortSignal,
): Promise<readonly WantedExtra[]> {
  const remote = await readFreshAgreement(ports, key, signal);
  const all = remote?.documents ?? ports.stores.agreements.details(key).documents ?? [];
  return all.flatMap(({ id, name, mimeType }): readonly WantedExtra[] => {
    if (id === null) return [];
    const open = () =>
      ports.services.use(key.connectionId, (service) =>
        service.downloadDocument(key.id, id, signal),
      );
    return [{ kind: 'attachments', name, mimeType, open }];
  });
}

function rawAnswer(
  { services, encoding }: ExtraPorts,
  key: AgreementKey,
  form: 'json' | 'xml',
  signal: AbortSignal,
): WantedExtra {
  const open = async () => {
    const text = await services.act(key.connectionId, (actions) =>
      actions.raw(key.id, form, signal),
    );
    return downloadOf(encoding.utf8(text));
  };
  return { kind: form, name: 'answer', mimeType: `application/${form}`, open };
}

/**
 * Returns the evidence statement of the agreement; empty if this program did nothing with the
 * agreement. The number of entries is in the name, so that new entries lead to a new file.
 */
function evidenceOf(ports: ExtraPorts, key: AgreementKey): readonly WantedExtra[] {
  const { stores, evidenceLog, printer, clock } = ports;
  const entries = stores.evidence.list({ key, limit: MAX_ENTRIES }).toReversed();
  if (entries.length === 0) return [];
  const open = async () => {
    const verdict = await evidenceLog.verify([]);
    return downloadOf(await printer.print(statementOf(entries, verdict, clock.now())));
  };
  const name = `evidence ${entries.length}`;
  return [{ kind: 'evidence', name, mimeType: 'application/pdf', open }];
}
