import type { Draft, EarlierSend } from '../../../shared/contract/drafts.ts';
import type { ConnectionId, DraftId, OutboxRef } from '../../../shared/model/ids.ts';
import { outgoingContent } from './check.ts';
import type { PreparedDraft } from './prepare.ts';
import { freeze } from '../outbox/freeze.ts';
import type { Hashing } from '../outbox/marks.ts';
import type { NewOutboxItem } from '../outbox/ports.ts';
import { SAME_WITHIN } from '../outbox/times.ts';
import { connectionsTo, serviceOf } from '../services/same-service.ts';
import { sentElsewhere } from './sent-elsewhere.ts';
import type { AgreementService, Clock, Stores } from '../ports.ts';

/** Creates the outbox row of a draft (see `freeze`), filling its PDFs. */
export async function freezeDraft(
  ports: Hashing & { readonly stores: Stores },
  prepared: PreparedDraft,
  service: AgreementService,
  send: {
    readonly ref: OutboxRef;
    readonly connectionId: ConnectionId;
    readonly nextAt: number;
    readonly isScheduled: boolean;
    readonly people: string[];
  },
): Promise<NewOutboxItem> {
  const { stores } = ports;
  const { draft } = prepared;
  const files = await prepared.files();
  const content = await outgoingContent(prepared, stores);
  const earlier = stores.outbox.lastOf(idsOf(stores, draft));
  return freeze(
    service,
    {
      ...send,
      content,
      files,
      fingerprints: prepared.fingerprints(),
      draftId: draft.id,
      once: [['draft', stores.drafts.origin(draft.id) ?? draft.id]],
      rowNo: null,
      supersedes: earlier?.ref ?? null,
      markInName: stores.settings.read().markNames,
    },
    ports,
  );
}

/** Returns the ids of a draft: a draft that was handed over and returned had another id before. */
function idsOf({ drafts }: Pick<Stores, 'drafts'>, { id }: Pick<Draft, 'id'>): readonly DraftId[] {
  const origin = drafts.origin(id);
  return origin === null ? [id] : [id, origin];
}

interface SentBeforePorts {
  readonly stores: Pick<Stores, 'outbox' | 'drafts' | 'agreements' | 'connections'>;
  readonly clock: Clock;
}

/**
 * Returns the earlier sends of the draft's current content that the service has, may have or will
 * get. Sends from other computers count if this connection can read them at the service.
 */
export function findEarlierSends(
  ports: SentBeforePorts,
  prepared: PreparedDraft,
  connectionId: ConnectionId | null,
): EarlierSend[] {
  const { outbox } = ports.stores;
  const { draft } = prepared;
  const fingerprints = prepared.fingerprints();
  const since = ports.clock.now() - SAME_WITHIN;
  const fromHere = outbox
    .sentBefore(fingerprints, idsOf(ports.stores, draft), since)
    .filter(({ ref }) => ref !== draft.sending)
    .map(({ createdAt, state, people, ...row }) => ({
      key: row.ref,
      ref: row.ref,
      remoteId: row.remoteId,
      connectionId: row.connectionId,
      title: row.title,
      at: createdAt,
      isSent: state === 'sent',
      people: [...people],
    }));
  if (connectionId === null) return fromHere;
  const { content } = draft;
  // Each connection to the service shows only agreements that its own user may see.
  const reaching = connectionsTo(ports.stores, serviceOf(ports.stores, connectionId));
  const isOwn = ({ remoteId }: EarlierSend): boolean =>
    remoteId !== null && reaching.some((id) => outbox.boundTo(id, remoteId) !== null);
  const elsewhere = reaching
    .flatMap((id) =>
      sentElsewhere(ports.stores, { content, fingerprints, connectionId: id, since }),
    )
    .filter((one) => !isOwn(one));
  return [...fromHere, ...new Map(elsewhere.map((one) => [one.key, one])).values()];
}
