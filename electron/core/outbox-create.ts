import type { Draft } from '../../shared/contract/drafts.ts';
import type { AgreementId, ConnectionId, OutboxRef } from '../../shared/contract/ids.ts';
import type { OutboxItem } from '../../shared/contract/outbox.ts';
import type { Failure } from '../../shared/errors.ts';
import type { RemoteAgreement } from '../../shared/model/agreement.ts';
import { partyNames, titleOf } from '../../shared/rules/draft-check.ts';
import { outgoingFiles } from './draft-files.ts';
import type { OutboxBook } from './outbox-book.ts';
import { isUnused } from './outbox-uploads.ts';
import type { Clock, NewOutboxItem, PdfForms, Stores } from './ports.ts';
import type { Services } from './services.ts';

/** How far two clocks may lie apart before an agreement of ours is looked for in the wrong hour. */
const LOOK_BACK = 10 * 60_000;

interface CreatePorts {
  readonly stores: Stores;
  readonly services: Services;
  readonly pdf: PdfForms;
  readonly book: OutboxBook;
  readonly clock: Clock;
}

/**
 * Makes the row of a send: the exact bytes, which no later edit of anything can change. Of files
 * that go up first only the tokens are left open.
 */
export async function freezeCreate(
  ports: CreatePorts,
  draft: Draft,
  send: { readonly ref: OutboxRef; readonly connectionId: ConnectionId; readonly nextAt: number },
  people: readonly string[],
): Promise<NewOutboxItem> {
  const { ref, connectionId, nextAt } = send;
  const files = await outgoingFiles(draft, ports.stores.drafts, ports.pdf);
  const service = await ports.services.open(connectionId);
  const uploads = service.uploadFirst?.filesOf(draft.content, files) ?? [];
  const body = service.encodeCreate(draft.content, files, ref);
  const now = ports.clock.now();
  const item: OutboxItem = {
    ref,
    kind: 'create',
    state: 'queued',
    title: titleOf(draft.content),
    connectionId,
    remoteId: null,
    draftId: draft.id,
    people: [...people],
    attempts: 0,
    nextAt,
    reason: null,
    createdAt: now,
    updatedAt: now,
  };
  return { item, request: { body, target: null, signedAt: null }, uploads };
}

/**
 * Reads what the service has since the send, which settles a row that is found by its reference.
 * v2 carries none: what could be it is told, and a person decides. Files that were sent up for it and
 * still wait say that there is nothing to find.
 */
export async function lookForCreate(ports: CreatePorts, item: OutboxItem): Promise<void> {
  const { agreements, connections, outbox } = ports.stores;
  const { ref, connectionId } = item;
  const { api } = connections.get(connectionId);
  if (api === 'v2' && (await isUnused(ports, item))) {
    ports.book.move(ref, ['unknown'], { to: 'unknown', cause: 'look', reason: nothingCreated });
    return;
  }
  const checked = connections.checkedUntil(connectionId) ?? item.createdAt;
  const since = Math.min(item.createdAt, checked) - LOOK_BACK;
  const seen = new Map<string, RemoteAgreement>();
  await ports.services.use(connectionId, async (service) => {
    for await (const page of service.changes(since, new AbortController().signal)) {
      agreements.put(connectionId, api, page.items, ports.clock.now());
      for (const one of page.items) seen.set(one.id, one);
    }
  });
  ports.book.adopt(connectionId, 'look');
  if (outbox.get(ref).state !== 'unknown') return;
  const found = api === 'v2' ? candidates(ports, item, [...seen.values()]) : [];
  ports.book.move(ref, ['unknown'], { to: 'unknown', cause: 'look', reason: notSettled(found) });
}

/** v2 agreements that could be this send: same name, as many parties, posted since, nobody else's. */
function candidates(
  { stores }: CreatePorts,
  item: OutboxItem,
  seen: readonly RemoteAgreement[],
): readonly string[] {
  const draft = stores.drafts.list().find(({ id }) => id === item.draftId);
  const parties = draft === undefined ? null : partyNames(draft.content).length;
  const taken = new Set<string | null>(stores.outbox.list(0).map(({ remoteId }) => remoteId));
  const fits = ({ id, title, parties: theirs, sentAt, createdAt }: RemoteAgreement) =>
    title === item.title &&
    !taken.has(id) &&
    (parties === null || theirs === null || theirs.length === parties) &&
    (sentAt ?? createdAt ?? item.createdAt) >= item.createdAt - LOOK_BACK;
  return seen.filter(fits).map(({ id }) => id);
}

const nothingCreated: Failure = {
  code: 'conflict',
  message: 'The files sent up for it are not used: nothing was created so far',
  reason: 'nothing-created',
};

function notSettled(found: readonly string[]): Failure {
  const code = 'conflict';
  const reason = 'outcome-unknown';
  if (found.length === 0) {
    return { code, reason, message: 'The service does not show it; it may still appear' };
  }
  const ids = found.join(', ');
  return { code, reason, message: `It could be ${ids}; look at it and say whether it is` };
}

/** Why an agreement cannot be what became of this send; null when it can. */
export function mismatch(
  stores: Stores,
  item: OutboxItem,
  remote: RemoteAgreement,
  id: AgreementId,
): string | null {
  const others = stores.outbox.list(0).filter(({ ref }) => ref !== item.ref);
  if (item.kind === 'create' && others.some((one) => isBound(one, item, id))) {
    return 'That agreement came from another send';
  }
  const theirs = remote.tags?.['desk.ref'];
  if (theirs !== undefined && theirs !== item.ref) return 'That agreement came from another send';
  if (remote.title !== item.title) return 'That agreement has another title';
  return null;
}

function isBound(one: OutboxItem, item: OutboxItem, id: AgreementId): boolean {
  return one.kind === 'create' && one.connectionId === item.connectionId && one.remoteId === id;
}
