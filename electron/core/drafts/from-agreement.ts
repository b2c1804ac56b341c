import type { AgreementDetails } from '../../../shared/contract/agreements.ts';
import type { Draft, DraftContent } from '../../../shared/contract/drafts.ts';
import type { DraftCopy, Loss } from '../../../shared/contract/draft-history.ts';
import {
  type AgreementKey,
  type ApiName,
  FileId,
  type OutboxRef,
} from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AgreementDocument } from '../../../shared/model/agreement.ts';
import {
  bodyFromReplyV1,
  bodyFromReplyV2,
} from '../../../shared/rules/drafts/convert/from-reply.ts';
import { type FreshCopyPorts, isKnown, readFreshAgreement } from '../services/fresh-copy.ts';
import { collectChunks } from '../chunks.ts';
import { type AddPorts, addDraft, addFilesTo, type PreparedDraftFile } from './add.ts';
import { describeFile } from './attach.ts';
import { withCurrentAddresses } from './current-addresses.ts';
import type { Encoding, PdfForms, Sha256, Stores } from '../ports.ts';
import { matchesDraft } from './sent-elsewhere.ts';
import { thawBody } from './thaw.ts';
import type { RunJob } from '../job-queue.ts';

export interface AgreementCopyPorts extends AddPorts, FreshCopyPorts {
  readonly stores: Pick<Stores, 'drafts' | 'agreements' | 'connections' | 'outbox'>;
  readonly pdf: PdfForms;
  readonly sha256: Sha256;
  readonly encoding: Encoding;
}

export interface RunningJob {
  readonly signal: AbortSignal;
  readonly report: Parameters<RunJob<'copy-agreement'>>[1];
}

interface CopiedContent {
  readonly content: DraftContent;
  readonly files: readonly PreparedDraftFile[];
  readonly losses: readonly Loss[];
}

interface SentCopy {
  readonly sent: Draft;
  /** Parties of the agreement as they are now; null if they are not known. */
  readonly known: AgreementDetails['parties'];
  readonly change: (content: DraftContent) => DraftContent;
}

/**
 * Creates a draft from an agreement. The content is complete if the agreement was sent from this
 * computer, or from a computer whose imported data export matches it. Otherwise the service
 * provides a part, and the missing parts are listed as losses. `change` adapts the draft's content.
 * @throws AppError 'not-found' when the service has no such agreement
 */
export async function copyAgreement(
  ports: AgreementCopyPorts,
  key: AgreementKey,
  running: RunningJob,
  change: (content: DraftContent) => DraftContent = (content) => content,
): Promise<DraftCopy> {
  const { api } = ports.stores.connections.get(key.connectionId);
  const ref = sentRefOf(ports, key);
  const draft =
    ref === null
      ? await sentElsewhere(ports, key, running.signal)
      : ports.stores.drafts.sentAs(ref);
  const { agreements } = ports.stores;
  const known = isKnown(agreements, key) ? agreements.details(key).parties : null;
  if (draft !== null) return copySent(ports, key, { sent: draft, known, change });
  const { content, files, losses } =
    ref === null ? await readFromService(ports, key, running) : await readFrozen(ports, ref, api);
  const current = withCurrentAddresses(content, ref === null ? null : known);
  const added = addDraft(
    ports,
    change(current.content),
    key.connectionId,
    addFilesTo(ports, files),
  );
  return { draft: added, losses: [...losses, ...current.losses] };
}

/** Returns the outbox row that created the agreement. */
function sentRefOf({ stores }: AgreementCopyPorts, key: AgreementKey): OutboxRef | null {
  const rows = stores.outbox.list(0);
  const made = rows.find(
    ({ kind, connectionId, remoteId }) =>
      kind === 'create' && connectionId === key.connectionId && remoteId === key.id,
  );
  return made?.ref ?? null;
}

/**
 * Returns the draft of an agreement sent from another computer, according to an import, which may
 * contain anything. A draft that differs from the agreement (on this computer or at the service)
 * belongs to another agreement; API v2 may also use the same id in another account.
 */
async function sentElsewhere(
  ports: AgreementCopyPorts,
  key: AgreementKey,
  signal: AbortSignal,
): Promise<Draft | null> {
  const { agreements, connections, drafts } = ports.stores;
  const draft = drafts.sentElsewhere(key.id, connections.get(key.connectionId).api);
  if (draft === null) return null;
  const here = isKnown(agreements, key) ? agreements.details(key) : null;
  const hasParties = (here?.parties ?? null) !== null;
  const known = hasParties ? here : await readFreshAgreement(ports, key, signal);
  return known !== null && matchesDraft(draft.content, known) ? draft : null;
}

/**
 * Copies the draft that was sent, without attachment tokens: a token is invalid after the agreement
 * that used it (API v2, "attachments rules").
 */
function copySent(
  ports: AgreementCopyPorts,
  key: AgreementKey,
  { sent, known, change }: SentCopy,
): DraftCopy {
  const { content, losses: unknown } = withCurrentAddresses(sent.content, known);
  const losses = [...unknown];
  const kept = <
    One extends { readonly token?: string | undefined; readonly name?: string | undefined },
  >(
    one: One,
  ): boolean => {
    if (one.token === undefined || one.token === '') return true;
    losses.push({ code: 'files', about: one.name ?? '' });
    return false;
  };
  const { attachments } = content.body;
  const copied: DraftContent =
    content.api === 'v1' || attachments === undefined
      ? content
      : {
          api: 'v2',
          body: { ...content.body, attachments: content.body.attachments?.filter(kept) },
        };
  const draft = addDraft(ports, change(copied), key.connectionId, (id) => {
    ports.stores.drafts.copyFiles(sent.id, id);
  });
  return { draft, losses };
}

async function readFrozen(
  ports: AgreementCopyPorts,
  ref: OutboxRef,
  api: ApiName,
): Promise<CopiedContent> {
  const { body } = ports.stores.outbox.request(ref);
  const { encoding } = ports;
  const newId = () => newFileId(ports);
  const { content, files, losses } = thawBody(api, body, { encoding, newId });
  return { content, files: await describeDocuments(ports, files, api), losses };
}

async function readFromService(
  ports: AgreementCopyPorts,
  key: AgreementKey,
  running: RunningJob,
): Promise<CopiedContent> {
  const { signal } = running;
  const { api } = ports.stores.connections.get(key.connectionId);
  const remote = await readFreshAgreement(ports, key, signal);
  if (remote === null) throw new AppError('not-found', 'The service does not have this agreement');
  const { body: text, values } = await ports.services.act(key.connectionId, async (actions) => ({
    body: await actions.raw(key.id, 'json', signal),
    values: actions.api === 'v2' ? await actions.fieldValues(key.id, signal) : null,
  }));
  const reply: unknown = JSON.parse(text);
  if (api === 'v2') {
    const { body, losses } = bodyFromReplyV2(reply, values);
    return { content: { api, body }, files: [], losses };
  }
  const { body, losses } = bodyFromReplyV1(replyData(reply), ports.clock.now());
  const { files, lost } = await downloadDocuments(ports, key, remote.documents ?? [], running);
  for (const { file, document } of files) {
    body.attachments.push({
      type: 'BASE64',
      name: document.name,
      file: file.file.id,
      ...(document.title !== null && { title: document.title }),
      category: document.category === 'reference' ? 'REF_DOC' : 'AGREEMENT',
    });
  }
  return {
    content: { api, body },
    files: files.map(({ file }) => file),
    losses: [...losses, ...lost.map((about) => ({ code: 'files' as const, about }))],
  };
}

interface DownloadedDocument {
  readonly file: PreparedDraftFile;
  readonly document: AgreementDocument;
}

/** Downloads the attachments in order; a failed one is listed, and the others continue. */
async function downloadDocuments(
  ports: AgreementCopyPorts,
  key: AgreementKey,
  documents: readonly AgreementDocument[],
  { signal, report }: RunningJob,
): Promise<{ readonly files: readonly DownloadedDocument[]; readonly lost: readonly string[] }> {
  const files: DownloadedDocument[] = [];
  const lost: string[] = [];
  for (const [index, document] of documents.entries()) {
    signal.throwIfAborted();
    report({ done: index, total: documents.length });
    const { id, name } = document;
    if (id === null) {
      lost.push(name);
      continue;
    }
    try {
      const data = await ports.services.use(key.connectionId, async (service) => {
        const { chunks } = await service.downloadDocument(key.id, id, signal);
        return collectChunks(chunks);
      });
      const [file] = await describeDocuments(ports, [{ id: newFileId(ports), name, data }], 'v1');
      if (file !== undefined) files.push({ file, document });
    } catch (error) {
      // A user who stops the job wants no draft with only some of the documents.
      if (signal.aborted || !(error instanceof AppError)) throw error;
      lost.push(name);
    }
  }
  signal.throwIfAborted();
  return { files, lost };
}

const newFileId = ({ chance }: Pick<AddPorts, 'chance'>): FileId => FileId.parse(chance.uuid());

async function describeDocuments(
  ports: AgreementCopyPorts,
  files: readonly { readonly id: FileId; readonly name: string; readonly data: Uint8Array }[],
  api: ApiName,
): Promise<readonly PreparedDraftFile[]> {
  return Promise.all(
    files.map(async (one) => ({
      file: await describeFile(one, api, ports),
      data: one.data,
      modifiedAt: null,
    })),
  );
}

function replyData(reply: unknown): unknown {
  return typeof reply === 'object' && reply !== null && 'data' in reply ? reply.data : reply;
}
