import type { SharedItem } from '../../../electron/core/office/items/ports.ts';
import type { Handover } from '../../../electron/core/office/handover/ports.ts';
import type {
  ClaimHolder,
  HeldLease,
  Offices,
  OpenOffice,
  RequestedApproval,
} from '../../../electron/core/office/ports.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { OfficeItemKind } from '../../../shared/contract/office/items.ts';
import {
  type OfficeMembership,
  OfficeUserId,
  OfficeUserRight,
} from '../../../shared/contract/office/office.ts';
import type { World } from '../../support/fakes/memory-desk.ts';

export const ANNA: OfficeMembership = {
  office: '7a0c9d0e-0000-4000-8000-000000000001',
  seat: OfficeUserId.parse('7a0c9d0e-0000-4000-8000-000000000002'),
  desk: '7a0c9d0e-0000-4000-8000-000000000003',
  name: 'Anna',
  address: { host: 'localhost', port: 5432, database: 'office', role: 'anna', trust: null },
  goesOnWithout: true,
};
const LOST_FILE: Failure = { code: 'storage', message: 'Lost', reason: 'data-damaged' };
export const BO = OfficeUserId.parse('7a0c9d0e-0000-4000-8000-000000000004');

type Written = Pick<SharedItem, 'kind' | 'id' | 'version' | 'content'>;

/** An office without a database, to test a single desk. */
export interface MemoryOffice {
  readonly offices: () => Promise<Offices>;
  /** Number of times a desk read changes, wrote an item, sent a hint, closed its connection. */
  readonly count: { read: number; written: number; hinted: number; closed: number };
  /** Runs before the office returns changes. */
  beforeRead: () => Promise<void>;
  /** Maximum number of changes in one answer, even if more were requested. */
  room: number;
  /** Items that the database refuses, together with all items written with them. */
  refuses: (version: Pick<SharedItem, 'kind' | 'id' | 'content'>) => boolean;
  /** New secret that the office returns when the desk visits it; null if no keys were renewed. */
  renewed: string | null;
  /** Another desk that holds every task. */
  holder: HeldLease | null;
  /** Number of released tasks. */
  freed: number;
  /** Desks that hold the content of a row. */
  held: readonly ClaimHolder[];
  /** Returns the requests for approval. */
  approvals: () => readonly RequestedApproval[];
  /** Reason why every handover is refused. */
  refusal: Failure | null;
  /** Whether another desk of the user takes handovers first. */
  isTaken: boolean;
  /** Ids of the handovers that Bo has taken. */
  readonly taken: Set<string>;
  /** Id of a handover that already waits; new handovers get it too. */
  waitsAs: string | null;
  item(kind: OfficeItemKind, id: string): SharedItem | null;
  /** Adds an item written by Bo. */
  put(item: Written): void;
}

export function createMemoryOffice(): MemoryOffice {
  const items = new Map<string, SharedItem>();
  const keep = (item: Written, seat: OfficeUserId): void => {
    items.delete(`${item.kind} ${item.id}`);
    numbers += 1;
    items.set(`${item.kind} ${item.id}`, { ...item, seat, number: numbers, age: 0 });
  };
  let numbers = 0;
  const office: MemoryOffice = {
    offices: async () => {
      // The other methods are for claims, and for an administrator.
      const all: Partial<Offices> = { open: async () => open() };
      return all as Offices;
    },
    count: { read: 0, written: 0, hinted: 0, closed: 0 },
    beforeRead: async () => undefined,
    room: Infinity,
    refuses: () => false,
    renewed: null,
    holder: null,
    freed: 0,
    held: [],
    approvals: () => [],
    refusal: null,
    isTaken: false,
    taken: new Set(),
    waitsAs: null,
    item: (kind, id) => items.get(`${kind} ${id}`) ?? null,
    put: (item) => keep(item, BO),
  };
  const { waiting, handovers } = handoversOf(office);
  function open(): OpenOffice {
    const claims: Partial<OpenOffice['joined']['claims']> = {
      allHolders: async () => office.held,
    };
    const joined: Partial<OpenOffice['joined']> = {
      claims: claims as OpenOffice['joined']['claims'],
      desk: ANNA.desk,
      leases: leasesOf(office),
      claimKey: () => new Uint8Array(32),
    };
    const opened: Partial<OpenOffice> = {
      joined: joined as OpenOffice['joined'],
      items: {
        kinds: async () => OfficeItemKind.options.map((kind) => ({ kind, mayWrite: true })),
        async changes(kinds, after, limit) {
          office.count.read += 1;
          await office.beforeRead();
          const changed = [...items.values()].filter(({ number }) => number > after);
          const wanted = changed.filter(({ kind }) => kinds.includes(kind));
          const given = wanted.slice(0, Math.min(limit, office.room));
          return { items: given, hasMore: given.length === limit || given.length < wanted.length };
        },
        async write(versions) {
          if (versions.some(office.refuses)) throw new AppError('service', 'Refused');
          const next = versions.filter(({ kind, id, version }) => {
            return version === (office.item(kind, id)?.version ?? 0) + 1;
          });
          for (const version of next) keep(version, ANNA.seat);
          office.count.written += next.length;
          return new Set(next);
        },
      },
      files: {
        put: async () => undefined,
        read: () => Promise.reject(AppError.from(LOST_FILE)),
      },
      handovers,
      approvals: {
        ask: async () => undefined,
        list: async () => office.approvals(),
        decide: async () => true,
      },
      renewedSecret: null,
      visit: async () => office.renewed,
      listen: async () => undefined,
      hint: async () => void (office.count.hinted += 1),
      seats: async () => [
        {
          id: BO,
          name: 'Bo',
          rights: OfficeUserRight.options,
          joinedAt: 1,
          isOwn: false,
          desks: [],
        },
      ],
      seatNames: async () => new Map([[BO, 'Bo']]),
      close: async () => {
        office.count.closed += 1;
        waiting.clear();
      },
    };
    return opened as OpenOffice;
  }
  return office;
}

function leasesOf(office: MemoryOffice): OpenOffice['joined']['leases'] {
  return {
    take: async ({ key: task }) =>
      office.holder === null
        ? { ok: true, lease: { task, number: 1 }, now: 0 }
        : { ok: false, held: office.holder },
    renew: async () => true,
    giveBack: async () => void (office.freed += 1),
    list: async () => [],
  };
}

function handoversOf(office: MemoryOffice) {
  const waiting = new Map<string, Handover & { readonly data: Uint8Array }>();
  const handovers: OpenOffice['handovers'] = {
    async give({ id: newId, kind, title, note, data }) {
      if (office.refusal !== null) throw AppError.from(office.refusal);
      const id = office.waitsAs ?? newId;
      const [from, to] = [ANNA.seat, BO];
      waiting.set(id, { id, kind, title, note, from, to, givenAt: 1, data });
      return id;
    },
    list: async () => [...waiting.values()],
    read: async (id) => waiting.get(id)?.data ?? new Uint8Array(),
    take: async (id) => !office.isTaken && waiting.delete(id),
    ended: async (ids) => ({
      taken: new Map(ids.filter((id) => office.taken.has(id)).map((id) => [id, BO])),
      unknown: [],
    }),
  };
  return { waiting, handovers };
}

/** Gives this desk a membership in an office. */
export async function join({ stores, vault }: Pick<World, 'stores' | 'vault'>): Promise<void> {
  await vault.write('office', 'keys');
  stores.office.join(ANNA);
}
