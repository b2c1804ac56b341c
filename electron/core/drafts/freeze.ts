import type { Draft, SentBefore } from '../../../shared/contract/drafts.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { originalFiles, outgoingContent, outgoingFiles } from './files.ts';
import { fingerprintOf, freeze } from '../outbox/freeze.ts';
import type { Hashing } from '../outbox/marks.ts';
import type { NewOutboxItem } from '../outbox/ports.ts';
import { SAME_WITHIN } from '../outbox/times.ts';
import type { AgreementService, Clock, PdfForms, Stores } from '../ports.ts';

/** Makes the row of a draft's send, see `freeze`; its PDFs are filled on the way. */
export async function freezeDraft(
  ports: Hashing & { readonly stores: Stores; readonly pdf: PdfForms },
  draft: Draft,
  service: AgreementService,
  send: {
    readonly ref: OutboxRef;
    readonly connectionId: ConnectionId;
    readonly nextAt: number;
    readonly isScheduled: boolean;
    readonly people: string[];
  },
): Promise<NewOutboxItem> {
  const { stores, pdf } = ports;
  const files = await outgoingFiles(draft, stores.drafts, pdf);
  const content = await outgoingContent(draft, stores, pdf);
  const earlier = stores.outbox.lastOf(draft.id);
  return freeze(
    service,
    {
      ...send,
      content,
      files,
      written: { content: draft.content, files: originalFiles(draft, stores.drafts) },
      draftId: draft.id,
      rowNo: null,
      supersedes: earlier?.ref ?? null,
      markInName: stores.settings.read().markNames,
    },
    ports,
  );
}

interface SentBeforePorts extends Hashing {
  readonly stores: Pick<Stores, 'outbox' | 'drafts'>;
  readonly clock: Clock;
}

/** Earlier sends of what a draft says now, that the service has, may have or will get. */
export function sentBefore(ports: SentBeforePorts, draft: Draft): SentBefore[] {
  const { outbox, drafts } = ports.stores;
  const fingerprint = fingerprintOf(draft.content, originalFiles(draft, drafts), ports);
  const since = ports.clock.now() - SAME_WITHIN;
  return outbox
    .sentBefore(fingerprint, draft.id, since)
    .filter(({ ref }) => ref !== draft.sending)
    .map(({ ref, connectionId, title, people, createdAt, state }) => ({
      ref,
      connectionId,
      title,
      at: createdAt,
      isSent: state === 'sent',
      people: [...people],
    }));
}
