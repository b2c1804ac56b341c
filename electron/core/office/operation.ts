import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { ActionKind } from '../../../shared/contract/actions.ts';
import type { ActScan, SendScan } from '../../../shared/contract/office/office.ts';
import type { StoredAction } from '../actions/ports.ts';
import type { FrozenRequest, StoredItem } from '../outbox/ports.ts';
import type { Stores } from '../ports.ts';
import type { ClaimKey, JoinedOffice, Operation, OperationKind } from './ports.ts';

type Known = Pick<Stores, 'outbox' | 'connections' | 'office'>;

/** Acts that notify people or cannot be taken back; all others the service itself guards. */
const CLAIMED: Readonly<Partial<Record<ActionKind, OperationKind>>> = {
  remind: 'remind',
  share: 'change',
  reject: 'remove',
  revoke: 'remove',
  remove: 'remove',
};

/**
 * What a row of the outbox claims. `repeats`: how many rows before it in its batch say the same, which a
 * person has confirmed; each is something that may happen once. Null where nothing tells what it says.
 */
export function sendOf(
  { stores, floor }: { readonly stores: Known; readonly floor: (id: ConnectionId) => number },
  office: JoinedOffice,
  item: StoredItem,
  repeats: number,
): Operation | null {
  const { ref, connectionId, title, kind, fingerprint } = item;
  if (isOwnDemo(stores, connectionId)) return null;
  const { target } = stores.outbox.request(ref);
  const parts = kind === 'create' ? contentOf(fingerprint, repeats) : signatureOf(target);
  if (parts === null) return null;
  const service = serviceOf(stores, connectionId);
  const [first] = stores.outbox.attempts(ref);
  const scan: SendScan = {
    mark: item.mark,
    parties: item.parties,
    floor: first?.floor ?? floor(connectionId),
    target,
  };
  return {
    id: ref,
    kind: kind === 'create' ? 'send' : 'sign',
    keys: [keyOf(stores, office, [service, ...parts])],
    about: { title, service, scan },
  };
}

/** What an act on an agreement claims; null where the service guards it. */
export function actOf(stores: Known, office: JoinedOffice, action: StoredAction): Operation | null {
  const { actionId: id, kind, connectionId, agreementId, partyId, title } = action;
  const { notificationId, goal } = action;
  const claimed = CLAIMED[kind];
  if (claimed === undefined || agreementId === null) return null;
  if (isOwnDemo(stores, connectionId)) return null;
  const service = serviceOf(stores, connectionId);
  // The same to another address is something else, and so is another notification of the party.
  const place = [partyId ?? '', notificationId ?? '', ...(goal?.to ?? [])];
  const parts = [service, 'act', kind, agreementId, ...place];
  const scan: ActScan = { kind, agreementId, partyId };
  return {
    id,
    kind: claimed,
    keys: [keyOf(stores, office, parts)],
    about: { title, service, scan },
  };
}

/** Every desk has a demo service of its own. */
export function isOwnDemo({ connections }: Pick<Stores, 'connections'>, id: ConnectionId): boolean {
  return connections.get(id).environment === 'demo';
}

/** The same at every desk that sends to one account. */
export function serviceOf({ connections }: Pick<Stores, 'connections'>, id: ConnectionId): string {
  const { url, accountId } = connections.get(id);
  return JSON.stringify([url, accountId]);
}

/** The connection of this desk that reaches it; null where none does. */
export function connectionTo(
  stores: Pick<Stores, 'connections'>,
  service: string,
): ConnectionId | null {
  const found = stores.connections.list().find(({ id }) => serviceOf(stores, id) === service);
  return found?.id ?? null;
}

function keyOf(
  { office: decisions }: Known,
  office: JoinedOffice,
  parts: readonly string[],
): ClaimKey {
  const key = office.claimKey(parts);
  return { key, seen: decisions.seen(hex(key)) };
}

function contentOf(fingerprint: string | null, repeats: number): readonly string[] | null {
  return fingerprint === null ? null : ['content', fingerprint, String(repeats)];
}

function signatureOf(target: FrozenRequest['target']): readonly string[] | null {
  return target === null ? null : ['sign', target.agreementId, target.partyId];
}

/** How many rows before each say the same. Those of nothing known count for none. */
export function repeatsIn(rows: readonly StoredItem[]): ReadonlyMap<OutboxRef, number> {
  const times = new Map<string, number>();
  return new Map(
    rows.map(({ ref, fingerprint }) => {
      const before = times.get(fingerprint ?? ref) ?? 0;
      times.set(fingerprint ?? ref, before + 1);
      return [ref, before];
    }),
  );
}

/** As text, in small letters. */
export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
