import type { Draft, DraftSummary } from '../../shared/contract/drafts.ts';
import { DraftId, FileId } from '../../shared/contract/ids.ts';
import type { Emit, HandlersOf } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/errors.ts';
import { checkDraft, partyNames, titleOf } from '../../shared/rules/draft-check.ts';
import { describeFile } from './draft-attach.ts';
import { checkWhole } from './draft-files.ts';
import type { SendDraft } from './draft-send.ts';
import type { ByteExchange } from './host-ports.ts';
import type { Chance, Clock, PdfForms, Sha256, Stores } from './ports.ts';

interface DraftPorts {
  readonly stores: Stores;
  readonly pdf: PdfForms;
  readonly sha256: Sha256;
  readonly bytes: ByteExchange;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emit: Emit;
  readonly send: SendDraft;
}

export function createDrafts(ports: DraftPorts): HandlersOf<'drafts'> {
  const { drafts } = ports.stores;
  const { clock, emit } = ports;

  return {
    'drafts.list': async () => drafts.list().map((draft) => summarise(draft, clock.now())),
    'drafts.show': async ({ id }) => drafts.get(id),
    'drafts.create': async ({ content, connectionId }) => {
      const id = DraftId.parse(ports.chance.uuid());
      const now = clock.now();
      const times = { createdAt: now, updatedAt: now };
      drafts.insert({ id, connectionId, content, files: [], revision: 1, sending: null, ...times });
      emit('drafts.changed', { id });
      return drafts.get(id);
    },
    'drafts.save': async ({ id, revision, content, connectionId }) => {
      const draft = drafts.save(id, revision, content, connectionId, clock.now());
      emit('drafts.changed', { id });
      return draft;
    },
    'drafts.delete': async ({ id }) => {
      refuseLocked(drafts.get(id));
      drafts.remove(id);
      emit('drafts.changed', { id });
      return {};
    },
    'drafts.attach': async ({ id, name, bytes }) => {
      const { content } = refuseLocked(drafts.get(id));
      const data = ports.bytes.take(bytes);
      const fileId = FileId.parse(ports.chance.uuid());
      const file = await describeFile({ id: fileId, name, data }, content.api, ports);
      drafts.addFile(id, file, data, null);
      emit('drafts.changed', { id });
      return file;
    },
    'drafts.detach': async ({ id, file }) => {
      refuseLocked(drafts.get(id));
      drafts.removeFile(id, file);
      emit('drafts.changed', { id });
      return {};
    },
    'drafts.form': async ({ id, file }) => ports.pdf.read(drafts.fileData(id, file).data),
    'drafts.check': async ({ id }) => checkWhole(drafts.get(id), ports),
    'drafts.send': async (order) => ({ ref: await ports.send(order) }),
  };
}

function refuseLocked(draft: Draft): Draft {
  if (draft.sending === null) return draft;
  throw new AppError('conflict', 'The draft is being sent', { reason: 'draft-locked' });
}

function summarise(draft: Draft, now: number): DraftSummary {
  const { id, content, connectionId, files, sending, updatedAt } = draft;
  const { errors } = checkDraft(content, { files, forms: new Map() }, now);
  return {
    id,
    api: content.api,
    connectionId,
    title: titleOf(content),
    parties: [...partyNames(content)],
    files: files.length,
    problems: errors.length,
    sending,
    updatedAt,
  };
}
