import type { ConnectionId, DraftId, OutboxRef } from '../../../shared/model/ids.ts';
import { olderNames } from '../../../shared/rules/office/service-name.ts';
import type { ActionKind } from '../../../shared/contract/actions.ts';
import type { ActScan, SendScan } from '../../../shared/contract/office/office.ts';
import type { StoredAction } from '../actions/ports.ts';
import type { FrozenRequest, StoredItem } from '../outbox/ports.ts';
import type { Stores } from '../ports.ts';
import { connectionsTo, everServiceOf } from '../services/same-service.ts';
import type { ClaimKey, HeldBy, JoinedOffice, Operation, OperationKind } from './ports.ts';

type Known = Pick<Stores, 'outbox' | 'connections' | 'office'>;

/** Acts that notify people or cannot be taken back; all others the service itself guards. */
const CLAIMED: Readonly<Partial<Record<ActionKind, OperationKind>>> = {
  remind: 'remind',
  share: 'change',
  reject: 'remove',
  revoke: 'remove',
  remove: 'remove',
};

/** What tells a send apart from others, beside the row itself. */
interface SendContext {
  /** How many rows before it in its batch say the same; a person has confirmed each of them. */
  readonly repeats: number;
  /** The credential of the attempt that is about to leave; null when none is. */
  readonly credential: string | null;
}

/** What a row of the outbox claims. Null when the row does not say what it is. */
export function sendOf(
  { stores, floor }: { readonly stores: Known; readonly floor: (id: ConnectionId) => number },
  office: JoinedOffice,
  item: StoredItem,
  { repeats, credential }: SendContext,
): Operation | null {
  const { ref, connectionId, title, kind } = item;
  if (isOwnDemo(stores, connectionId)) return null;
  // What is sent may be large, and need not be read.
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
    about: { title, service: everServiceOf(stores, connectionId), scan },
  };
}

/** A credential as the desks of the office compare it; it opens nothing, and the server never sees it. */
export function sealedCredential(office: JoinedOffice, credential: string): string {
  return hex(office.claimKey(['credential', credential]));
}

/** What an act on an agreement claims; null where the service guards it. */
export function actOf(stores: Known, office: JoinedOffice, action: StoredAction): Operation | null {
  const { actionId: id, kind, connectionId, agreementId, partyId, title } = action;
  const { notificationId, goal } = action;
  const claimed = CLAIMED[kind];
  if (claimed === undefined || agreementId === null) return null;
  if (isOwnDemo(stores, connectionId)) return null;
  // The same to another address is something else, and so is another notification of the party.
  const place = [partyId ?? '', notificationId ?? '', ...(goal?.to ?? [])];
  const names = [
    { parts: ['act', kind, agreementId, ...place] },
    // Earlier versions looked at the party alone.
    { parts: ['act', kind, agreementId, partyId ?? ''], isOlder: true },
  ];
  const scan: ActScan = { kind, agreementId, partyId };
  return {
    id,
    kind: claimed,
    keys: keysOf(stores, office, connectionId, names, null),
    about: { title, service: everServiceOf(stores, connectionId), scan },
  };
}

/** Every desk has a demo service of its own. Also of a connection that was removed. */
export function isOwnDemo({ connections }: Pick<Stores, 'connections'>, id: ConnectionId): boolean {
  return connections.ever().some((one) => one.id === id && one.environment === 'demo');
}

/** In the place of a service. */
const ANYWHERE = 'once';

/** What a send of this draft claims, whatever it says and wherever it goes. */
export const draftKey = (id: DraftId): readonly string[] => [ANYWHERE, 'draft', id];

/** What may happen once. */
interface OnceName {
  readonly parts: readonly string[];
  /** Once in the office, whichever service it is sent to; else once at each service. */
  readonly isAnywhere?: boolean;
  /** Only earlier versions claimed it by this name. */
  readonly isOlder?: boolean;
}

function keysOf(
  { office: decisions, connections }: Known,
  office: JoinedOffice,
  id: ConnectionId,
  names: readonly OnceName[],
  /** The send that a person let follow others; null for an act. */
  by: OutboxRef | null,
): readonly ClaimKey[] {
  const keyOf = (place: string, parts: readonly string[]) => {
    const key = office.claimKey([place, ...parts]);
    return { key, seen: decisions.seen(hex(key), by) };
  };
  const current = everServiceOf({ connections }, id);
  const older = olderNamesOf({ connections }, current);
  return names.flatMap(({ parts, isAnywhere = false, isOlder = false }): ClaimKey[] => {
    if (isAnywhere) return [keyOf(ANYWHERE, parts)];
    const before = older.map((service) => ({ ...keyOf(service, parts), isOlder: true }));
    return [{ ...keyOf(current, parts), isOlder }, ...before];
  });
}

/** How earlier versions of this desk may have named the service: what they claimed is still met. */
function olderNamesOf(stores: Pick<Stores, 'connections'>, service: string): readonly string[] {
  const names = connectionsTo(stores, service).flatMap((id) => {
    const { url, accountId } = stores.connections.get(id);
    return olderNames(url, accountId);
  });
  return [...new Set(names)].filter((name) => name !== service);
}

/**
 * Its content, as this version and earlier ones told it; and what it is whatever it says. A draft or a batch may be
 * at other desks, too: handed over, shared, exported, or in a copy of the data.
 */
function namesOfCreate(
  { fingerprint, formerFingerprints, once, draftId, batchId, rowNo }: StoredItem,
  repeats: number,
): readonly OnceName[] {
  const contents = (hashes: readonly string[]): readonly string[][] =>
    hashes.map((hash) => ['content', hash, String(repeats)]);
  const isNamed = (kind: string): boolean => once.some(([name]) => name === kind);
  // Earlier versions gave a row of a batch no name unless the batch was handed over, and a draft none of its own.
  const draft = draftId === null || isNamed('draft') ? [] : [['draft', draftId]];
  const isNoRow = batchId === null || rowNo === null || isNamed('row');
  const row = isNoRow ? [] : [['row', batchId, String(rowNo)]];
  return [
    ...contents(fingerprint === null ? [] : [fingerprint]).map((parts) => ({ parts })),
    ...[...once, ...draft, ...row].map((parts) => ({ parts, isAnywhere: true })),
    ...contents(formerFingerprints).map((parts) => ({ parts, isOlder: true })),
  ];
}

function namesOfSignature(target: FrozenRequest['target']): readonly OnceName[] {
  return target === null ? [] : [{ parts: ['sign', target.agreementId, target.partyId] }];
}

/** The same once more, after those that hold it: they were seen, or are over. */
export function following(operation: Operation, held: readonly HeldBy[]): Operation {
  const keys = operation.keys.map((one) => ({
    ...one,
    seen: [...one.seen, ...held.filter(({ key }) => key === hex(one.key))],
  }));
  return { ...operation, keys };
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
