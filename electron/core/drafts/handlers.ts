import type {
  Draft,
  DraftFile,
  DraftSummary,
  SavedDraft,
} from '../../../shared/contract/drafts.ts';
import { type DraftId, FileId } from '../../../shared/model/ids.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import { checkDraft, partyNames, titleOf } from '../../../shared/rules/drafts/check.ts';
import { requireUnlocked } from '../../../shared/rules/drafts/locked.ts';
import { addDraft } from './add.ts';
import { convertToPdf } from '../documents/as-pdf.ts';
import type { DocumentConverter } from '../documents/ports.ts';
import { describeFile } from './attach.ts';
import { createDraftCopyHandlers } from './copies.ts';
import { checkPreparedDraft } from './check.ts';
import type { DraftPreparation } from './prepare.ts';
import { refusedFields } from './refusal.ts';
import type { SendDraft } from './send.ts';
import { createDraftHistoryHandlers } from './history.ts';
import { createDraftTransferHandlers } from './transfer.ts';
import { findEarlierSends } from './freeze.ts';
import type { Hashing } from '../outbox/marks.ts';
import { rememberPeople } from '../people/remember.ts';
import type { Stores } from '../ports.ts';

type DraftPorts = Parameters<typeof createDraftCopyHandlers>[0] &
  Parameters<typeof createDraftTransferHandlers>[0] & {
    readonly stores: Stores;
    readonly documents: DocumentConverter;
    readonly send: SendDraft;
    readonly preparation: DraftPreparation;
  } & Hashing;

export function createDraftHandlers(ports: DraftPorts): HandlersOf<'drafts'> {
  const { drafts } = ports.stores;
  const { clock, emit } = ports;

  return {
    'drafts.list': async () => drafts.list().map((draft) => summariseDraft(draft, clock.now())),
    'drafts.show': async ({ id }) => drafts.get(id),
    'drafts.create': async ({ content, connectionId }) =>
      addDraft(ports, content, connectionId, () => {}),
    'drafts.save': async ({ id, revision, content, connectionId, edit }) => {
      const draft = drafts.save(id, revision, content, connectionId, clock.now(), edit);
      return announceEdit(ports, draft);
    },
    'drafts.attach': async ({ id, name, bytes, asPdf: isAsked = false }) => {
      const { content } = requireUnlocked(drafts.get(id));
      const given = { name, data: ports.bytes.take(bytes) };
      const isPdf = isAsked || content.api === 'v2';
      return attachFile(ports, id, isPdf ? await convertToPdf(given, ports) : given);
    },
    'drafts.makePdf': async ({ id, file }) => {
      requireUnlocked(drafts.get(id));
      return attachFile(ports, id, await convertToPdf(drafts.fileData(id, file), ports));
    },
    'drafts.detach': async ({ id, file }) => {
      requireUnlocked(drafts.get(id));
      drafts.removeFile(id, file);
      emit('drafts.changed', { id });
      return {};
    },
    'drafts.form': async ({ id, file }) => ports.pdf.read(drafts.fileData(id, file).data),
    'drafts.check': async ({ id, connectionId }) => {
      const draft = drafts.get(id);
      const through = connectionId ?? draft.connectionId;
      const prepared = ports.preparation.of(draft);
      const check = await checkPreparedDraft(prepared, ports, through);
      // An incomplete draft cannot match an earlier send.
      const isWhole = check.errors.length === 0;
      const warnings = [...refusedFields(ports, draft), ...check.warnings];
      return {
        ...check,
        warnings,
        sentBefore: isWhole ? findEarlierSends(ports, prepared, through) : [],
      };
    },
    'drafts.send': async (order) => {
      const { content } = drafts.get(order.id);
      const ref = await ports.send(order);
      rememberPeople(ports, content);
      return { ref };
    },
    ...createDraftHistoryHandlers({
      ...ports,
      summarise: summariseDraft,
      announceEdit: (draft) => announceEdit(ports, draft),
    }),
    ...createDraftCopyHandlers(ports),
    ...createDraftTransferHandlers(ports),
  };
}

async function attachFile(
  ports: DraftPorts,
  id: DraftId,
  { name, data }: { readonly name: string; readonly data: Uint8Array },
): Promise<DraftFile> {
  const { drafts } = ports.stores;
  // Creating a PDF takes seconds: the draft may have been sent while the PDF was made.
  const { content } = requireUnlocked(drafts.get(id));
  const fileId = FileId.parse(ports.chance.uuid());
  const file = await describeFile({ id: fileId, name, data }, content.api, ports);
  drafts.addFile(id, file, data, null);
  ports.emit('drafts.changed', { id });
  return file;
}

/** Emits the edited draft's summary, so that lists need no other request. */
function announceEdit({ stores, clock, emit }: DraftPorts, draft: Draft): SavedDraft {
  const { id, revision } = draft;
  emit('drafts.changed', { id, edited: { revision, summary: summariseDraft(draft, clock.now()) } });
  return { ...draft, reach: stores.drafts.reach(id) };
}

function summariseDraft(draft: Draft, now: number): DraftSummary {
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
