import type { Draft, DraftContent, DraftFile } from '../../../shared/contract/drafts.ts';
import { type ConnectionId, DraftId } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { Chance, Clock, OutgoingFile, Stores } from '../ports.ts';

export interface AddPorts {
  readonly stores: Pick<Stores, 'drafts'>;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emit: Emit;
}

/** A validated file, ready to be stored with a draft. */
export interface PreparedDraftFile {
  readonly file: DraftFile;
  readonly data: Uint8Array;
  readonly modifiedAt: OutgoingFile['modifiedAt'];
}

/** Stores a new draft with the files that `give` adds: the draft and all files, or nothing. */
export function addDraft(
  { stores, clock, chance, emit }: AddPorts,
  content: DraftContent,
  connectionId: ConnectionId | null,
  give: (id: DraftId) => void,
): Draft {
  const { drafts } = stores;
  const id = DraftId.parse(chance.uuid());
  const now = clock.now();
  const times = { createdAt: now, updatedAt: now };
  const draft = { id, connectionId, content, files: [], revision: 1, sending: null, ...times };
  drafts.insert(draft, () => {
    give(id);
  });
  emit('drafts.changed', { id });
  return drafts.get(id);
}

/** Returns a function that adds these files to a draft. */
export function addFilesTo(
  { stores }: Pick<AddPorts, 'stores'>,
  files: readonly PreparedDraftFile[],
): (id: DraftId) => void {
  return (id) => {
    for (const { file, data, modifiedAt } of files) {
      stores.drafts.addFile(id, file, data, modifiedAt);
    }
  };
}
