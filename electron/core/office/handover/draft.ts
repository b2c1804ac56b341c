import { AppError } from '../../../../shared/errors.ts';
import { DraftId } from '../../../../shared/model/ids.ts';
import { titleOf } from '../../../../shared/rules/drafts/check.ts';
import { requireUnlocked } from '../../../../shared/rules/drafts/locked.ts';
import { HandoverDraft } from '../../../../shared/rules/office/items.ts';
import { containsPersonNumber } from '../../../../shared/rules/people/personal-numbers.ts';
import { orNull } from '../../app-error.ts';
import { packDraft, type UnpackPorts, unpackDraft } from '../../drafts/transfer.ts';
import type { Stores } from '../../ports.ts';
import type { DraftEditors } from '../editors.ts';
import { findSenderTo, serviceOf } from '../../services/same-service.ts';
import type { SheetReader } from '../../sheet-ports.ts';
import { attachedHoldsNumber } from './files.ts';
import type { HandoverAdapter } from './mover.ts';

export interface DraftHandoverPorts extends UnpackPorts {
  readonly stores: Pick<Stores, 'drafts' | 'connections' | 'privacy'>;
  readonly sheets: { readonly reader: Pick<SheetReader, 'holdsNumber'> };
  readonly editors: Pick<DraftEditors, 'require'>;
}

/** Creates the adapter that hands over a draft and moves the original draft to the trash. */
export function createDraftHandoverAdapter(ports: DraftHandoverPorts): HandoverAdapter {
  const { stores, sheets, encoding, editors, clock, emit } = ports;
  const remove = (id: DraftId): void => {
    stores.drafts.trash(id, clock.now());
    emit('drafts.changed', { id });
  };
  return {
    async hasPersonNumbers(name) {
      const id = DraftId.parse(name);
      const { content, files } = stores.drafts.get(id);
      if (containsPersonNumber([content, files.map((file) => file.name)])) return true;
      for (const file of files) {
        const { data } = stores.drafts.fileData(id, file.id);
        if (await attachedHoldsNumber(sheets.reader, file, data)) return true;
      }
      return false;
    },
    async pack(name) {
      const id = DraftId.parse(name);
      await editors.require(id);
      const { content, connectionId, revision } = requireUnlocked(stores.drafts.get(id));
      const service = connectionId === null ? null : serviceOf(stores, connectionId);
      const origin = stores.drafts.origin(id) ?? id;
      const draft = encoding.base64(packDraft(ports, id));
      const data = encoding.utf8(
        JSON.stringify({ service, origin, draft } satisfies HandoverDraft),
      );
      return { id, title: titleOf(content), revision, data };
    },
    given({ id: name, revision }) {
      const id = DraftId.parse(name);
      const known = orNull(() => stores.drafts.get(id));
      // Changes made since the draft was packed exist only on this computer, so a changed draft
      // stays. A draft that is being sent stays too, because it is in the outbox.
      if (known?.revision === revision && known.sending === null) remove(id);
    },
    async unpack(data) {
      const { service, origin, draft } = HandoverDraft.parse(JSON.parse(encoding.text(data)));
      if (origin !== null && stores.privacy.forgottenAt('draft', origin) !== null) {
        const message =
          'The draft was erased here together with a person, so it cannot be accepted';
        throw new AppError('conflict', message);
      }
      const connectionId = service === null ? null : findSenderTo(stores, service);
      const { id } = await unpackDraft(ports, encoding.bytes(draft), connectionId, origin);
      return {
        what: { kind: 'draft', id },
        undo: () => {
          remove(id);
        },
      };
    },
    taken: () => undefined,
  };
}
