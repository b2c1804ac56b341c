import type { ConnectionId, DraftId, OutboxRef } from '../../../shared/model/ids.ts';
import { olderNames } from '../../../shared/rules/office/service-name.ts';
import type { ActionKind } from '../../../shared/contract/actions.ts';
import type { ActionScanData, SendScan } from '../../../shared/contract/office/office.ts';
import type { StoredAction } from '../actions/ports.ts';
import type { FrozenRequest, StoredItem } from '../outbox/ports.ts';
import type { Stores } from '../ports.ts';
import { connectionsTo, formerServiceOf } from '../services/same-service.ts';
import type { ClaimKey, ClaimHolder, JoinedOffice, Operation, OperationKind } from './ports.ts';

type OperationStores = Pick<Stores, 'outbox' | 'connections' | 'office'>;

/**
 * Acts that notify people or cannot be undone; the service itself guards against repeating the
 * others.
 */
const CLAIMED_ACTION_KINDS: Readonly<Partial<Record<ActionKind, OperationKind>>> = {
  remind: 'remind',
  share: 'change',
  reject: 'remove',
  revoke: 'remove',
  remove: 'remove',
};

/** Additional facts that identify a send. */
interface SendContext {
  /**
   * Number of earlier rows in the batch with the same content; the user has confirmed each of them.
   */
  readonly repeats: number;
  /** Credential of the attempt about to start; null if there is none. */
  readonly credential: string | null;
}

/** Claim of an outbox row. Null if the row does not record its content. */
export function operationOfSend(
  {
    stores,
    floor,
  }: { readonly stores: OperationStores; readonly floor: (id: ConnectionId) => number },
  office: JoinedOffice,
  item: StoredItem,
  { repeats, credential }: SendContext,
): Operation | null {
  const { ref, connectionId, title, kind } = item;
  if (isOwnDemo(stores, connectionId)) return null;
  // The request may be large, so it is read only if needed.
  const target = kind === 'create' ? null : stores.outbox.request(ref).target;
  const names = kind === 'create' ? namesOfCreate(item, repeats) : namesOfSignature(target);
  if (names.length === 0) return null;
  const attempts = stores.outbox.attempts(ref);
  const used = attempts.filter(({ left }) => left).map((attempt) => attempt.credential);
  const credentials = [...new Set(credential === null ? used : [...used, credential])];
  const scan: SendScan = {
    mark: item.mark,
    parties: item.parties,
    floor: attempts[0]?.floor ?? floor(connectionId),
    target,
    credentials: credentials.map((one) => sealedCredential(office, one)),
  };
  return {
    id: ref,
    kind: kind === 'create' ? 'send' : 'sign',
    keys: keysOf(stores, office, connectionId, names, ref),
    about: { title, service: formerServiceOf(stores, connectionId), scan },
  };
}

/**
 * A credential in the form in which computers of the office compare it. It cannot be used to log
 * in, and the server never sees it.
 */
export function sealedCredential(office: JoinedOffice, credential: string): string {
  return hex(office.claimKey(['credential', credential]));
}

/** Claim of an act on an agreement; null if the service guards against repeating it. */
export function operationOfAction(
  stores: OperationStores,
  office: JoinedOffice,
  action: StoredAction,
): Operation | null {
  const { actionId: id, kind, connectionId, agreementId, partyId, title } = action;
  const { notificationId, goal } = action;
  const claimed = CLAIMED_ACTION_KINDS[kind];
  if (claimed === undefined || agreementId === null) return null;
  if (isOwnDemo(stores, connectionId)) return null;
  // The same act for another address or another notification of the party is a different act.
  const place = [partyId ?? '', notificationId ?? '', ...(goal?.to ?? [])];
  const names = [
    { parts: ['act', kind, agreementId, ...place] },
    // Earlier versions used only the party.
    { parts: ['act', kind, agreementId, partyId ?? ''], isOlder: true },
  ];
  const scan: ActionScanData = { kind, agreementId, partyId };
  return {
    id,
    kind: claimed,
    keys: keysOf(stores, office, connectionId, names, null),
    about: { title, service: formerServiceOf(stores, connectionId), scan },
  };
}

/** Whether this is a connection, possibly removed, to a demo service; each computer has its own. */
export function isOwnDemo({ connections }: Pick<Stores, 'connections'>, id: ConnectionId): boolean {
  return connections.ever().some((one) => one.id === id && one.environment === 'demo');
}

/** Placeholder for the service. */
const ANY_SERVICE = 'once';

/** Claim of a send of this draft, regardless of its content and recipients. */
export const draftKey = (id: DraftId): readonly string[] => [ANY_SERVICE, 'draft', id];

/** Name of something that may happen only once. */
interface ClaimName {
  readonly parts: readonly string[];
  /** Once in the office for all services; otherwise once per service. */
  readonly isAnywhere?: boolean;
  /** Only earlier versions claimed this name. */
  readonly isOlder?: boolean;
}

function keysOf(
  { office: decisions, connections }: OperationStores,
  office: JoinedOffice,
  id: ConnectionId,
  names: readonly ClaimName[],
  /** The send that the user let follow others; null for an act. */
  by: OutboxRef | null,
): readonly ClaimKey[] {
  const keyOf = (place: string, parts: readonly string[]) => {
    const key = office.claimKey([place, ...parts]);
    return { key, seen: decisions.seen(hex(key), by) };
  };
  const current = formerServiceOf({ connections }, id);
  const older = olderNamesOf({ connections }, current);
  return names.flatMap(({ parts, isAnywhere = false, isOlder = false }): ClaimKey[] => {
    if (isAnywhere) return [keyOf(ANY_SERVICE, parts)];
    const before = older.map((service) => ({ ...keyOf(service, parts), isOlder: true }));
    return [{ ...keyOf(current, parts), isOlder }, ...before];
  });
}

/**
 * Names that earlier versions on this computer may have used for the service, so that their claims
 * are still found.
 */
function olderNamesOf(stores: Pick<Stores, 'connections'>, service: string): readonly string[] {
  const names = connectionsTo(stores, service).flatMap((id) => {
    const { url, accountId } = stores.connections.get(id);
    return olderNames(url, accountId);
  });
  return [...new Set(names)].filter((name) => name !== service);
}

/**
 * Names of a create: its content, as hashed by this and earlier versions, and names independent of
 * the content. A draft or a batch may also be on other computers: handed over, shared, exported, or
 * in a copy of the data.
 */
function namesOfCreate(
  { fingerprint, formerFingerprints, once, draftId, batchId, rowNo }: StoredItem,
  repeats: number,
): readonly ClaimName[] {
  const contents = (hashes: readonly string[]): readonly string[][] =>
    hashes.map((hash) => ['content', hash, String(repeats)]);
  const isNamed = (kind: string): boolean => once.some(([name]) => name === kind);
  // Earlier versions gave no name to a row of a batch unless the batch was handed over, and none to
  // a draft.
  const draft = draftId === null || isNamed('draft') ? [] : [['draft', draftId]];
  const isNoRow = batchId === null || rowNo === null || isNamed('row');
  const row = isNoRow ? [] : [['row', batchId, String(rowNo)]];
  return [
    ...contents(fingerprint === null ? [] : [fingerprint]).map((parts) => ({ parts })),
    ...[...once, ...draft, ...row].map((parts) => ({ parts, isAnywhere: true })),
    ...contents(formerFingerprints).map((parts) => ({ parts, isOlder: true })),
  ];
}

function namesOfSignature(target: FrozenRequest['target']): readonly ClaimName[] {
  return target === null ? [] : [{ parts: ['sign', target.agreementId, target.partyId] }];
}

/**
 * Returns the operation with its current holders marked as seen, so that its claim follows theirs:
 * the user saw these holders, or they are settled.
 */
export function withHoldersSeen(operation: Operation, held: readonly ClaimHolder[]): Operation {
  const keys = operation.keys.map((one) => ({
    ...one,
    seen: [...one.seen, ...held.filter(({ key }) => key === hex(one.key))],
  }));
  return { ...operation, keys };
}

/**
 * Returns the number of earlier rows with the same content, by row; 0 for rows without a
 * fingerprint.
 */
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

export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
