import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { OfficeDraft } from '../../../shared/contract/office/drafts.ts';
import { AppError } from '../../../shared/errors.ts';
import type { DraftId } from '../../../shared/model/ids.ts';
import { titleOf } from '../../../shared/rules/drafts/check.ts';
import { requireUnlocked } from '../../../shared/rules/drafts/locked.ts';
import { SharedDraft } from '../../../shared/rules/office/items.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Clock, Stores } from '../ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';
import { requireActive } from '../deactivation.ts';
import { ADOPTION_DELAY_MS } from './adopt.ts';
import { aboutDraft, isErased } from './items/erased.ts';
import type { OfficeExchange } from './items/exchange.ts';
import { draftKey, hex } from './operation.ts';

import type { KnownItem } from './items/ports.ts';
import type { OpenOffice } from './ports.ts';
import type { OfficeSession } from './session.ts';
import { type HeldTask, type OfficeTasks, TaskElsewhereError } from './tasks.ts';

/** Time without edits after which another user may edit the draft. */
const IDLE_MS = 120_000;

interface EditorPorts {
  readonly stores: Pick<Stores, 'drafts' | 'office' | 'evidence'>;
  readonly room: OfficeSession;
  readonly tasks: Pick<OfficeTasks, 'take'>;
  readonly exchange: OfficeExchange;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

interface DraftEditing {
  readonly task: HeldTask;
  /** The office's version when the draft was taken or last written here. */
  readonly version: number;
  callOff: () => void;
}

type DraftHandlers = HandlersOf<'drafts'>;

/**
 * Lets one computer at a time edit a shared draft. The draft is taken with the first change and
 * given back a while after the last. While the office is unreachable, everyone may edit, and both
 * versions are kept.
 */
export class DraftEditors {
  readonly handlers: Pick<
    HandlersOf<'office'>,
    'office.together' | 'office.drafts' | 'office.leaveDraft' | 'office.freeDraft'
  >;
  readonly #ports: EditorPorts;
  readonly #editing = new Map<DraftId, DraftEditing>();
  /** Drafts that are being given back; a new edit takes them again. */
  readonly #leaving = new Map<DraftId, Promise<void>>();

  constructor(ports: EditorPorts) {
    this.#ports = ports;
    this.handlers = {
      'office.together': async ({ draft, isTogether }) => {
        await this.#setTogether(draft, isTogether);
        return {};
      },
      'office.drafts': () => this.#list(),
      'office.leaveDraft': async ({ draft }) => {
        await this.#release(draft);
        return {};
      },
      'office.freeDraft': async ({ draft }) => {
        await this.#free(draft);
        return {};
      },
    };
  }

  /** Wraps calls that change or send a draft, so that each first makes this computer the editor. */
  guard(drafts: DraftHandlers): DraftHandlers {
    const first =
      <Order extends { readonly id: DraftId }, Result>(work: (order: Order) => Promise<Result>) =>
      async (order: Order): Promise<Result> => {
        await this.require(order.id);
        return work(order);
      };
    return {
      ...drafts,
      'drafts.save': first(drafts['drafts.save']),
      'drafts.attach': first(drafts['drafts.attach']),
      'drafts.makePdf': first(drafts['drafts.makePdf']),
      'drafts.detach': first(drafts['drafts.detach']),
      'drafts.undo': first(drafts['drafts.undo']),
      'drafts.redo': first(drafts['drafts.redo']),
      'drafts.delete': first(drafts['drafts.delete']),
      'drafts.send': first(drafts['drafts.send']),
    };
  }

  /**
   * Makes this computer the editor of the draft. Throws 'conflict' with 'draft-elsewhere' while
   * another one is, and if the draft was changed there since this computer last read it.
   */
  async require(id: DraftId): Promise<void> {
    const { stores } = this.#ports;
    if (stores.office.membership() === null || !stores.office.isTogether(id)) return;
    await this.#leaving.get(id);
    this.#refuseSent(id);
    const editing = this.#editing.get(id);
    if (editing !== undefined && this.#isStillOwn(id, editing)) {
      this.#goOn(id, editing);
      return;
    }
    const { revision, content } = stores.drafts.get(id);
    const task = await this.#take(id, titleOf(content));
    if (task === null) return;
    this.#goOn(id, { task, version: this.#versionOf(id), callOff: () => undefined });
    // Fetches the version that others wrote before they gave the draft back.
    await this.#ports.exchange.quietly();
    this.#editing.get(id)?.callOff();
    this.#goOn(id, { task, version: this.#versionOf(id), callOff: () => undefined });
    this.#refuseSent(id);
    if (stores.drafts.get(id).revision !== revision) {
      throw new AppError(
        'conflict',
        'The draft was changed on another computer in the meantime. Open it again',
      );
    }
  }

  /**
   * Whether this computer is still the editor: while it slept, another computer may have taken over
   * the draft and written a version.
   */
  #isStillOwn(id: DraftId, { task, version }: DraftEditing): boolean {
    const { office } = this.#ports.stores;
    const item = office.item('draft', id);
    const isOthers = item !== null && item.seat !== office.membership()?.seat;
    return !task.signal.aborted && !(isOthers && item.version > version);
  }

  #versionOf(id: DraftId): number {
    return this.#ports.stores.office.item('draft', id)?.version ?? 0;
  }

  async end(): Promise<void> {
    await Promise.all([...this.#editing.keys()].map((id) => this.#release(id)));
  }

  async #take(id: DraftId, title: string): Promise<HeldTask | null> {
    const { tasks, toFailure } = this.#ports;
    try {
      return await tasks.take({ kind: 'draft', parts: [id], title });
    } catch (error) {
      if (error instanceof TaskElsewhereError) throw draftElsewhereError(error.held.seat, error);
      if (toFailure(error, 'office.draft').code === 'offline') return null;
      throw error;
    }
  }

  #goOn(id: DraftId, editing: DraftEditing): void {
    editing.callOff();
    this.#editing.set(id, editing);
    editing.callOff = this.#ports.clock.after(IDLE_MS, () => void this.#release(id));
  }

  async #release(id: DraftId): Promise<void> {
    const editing = this.#editing.get(id);
    if (editing !== undefined) {
      this.#editing.delete(id);
      editing.callOff();
      const leaving = this.#giveBack(editing.task).finally(() => this.#leaving.delete(id));
      this.#leaving.set(id, leaving);
    }
    await this.#leaving.get(id);
  }

  /** Sends the edits before another computer may edit the draft. */
  async #giveBack(task: HeldTask): Promise<void> {
    await this.#ports.exchange.quietly();
    await task.end();
  }

  async #setTogether(id: DraftId, isTogether: boolean): Promise<void> {
    const { stores, room, exchange } = this.#ports;
    const { office } = stores;
    requireActive(stores);
    const { items } = await room.require();
    requireUnlocked(stores.drafts.get(id));
    if (!(await items.kinds()).some(({ kind }) => kind === 'draft')) {
      const message =
        'Your user may not see personal numbers, which drafts can contain, so nothing was changed';
      throw new AppError('forbidden', message);
    }
    if (!isTogether) await this.require(id);
    office.setTogether(id, isTogether);
    if (!office.shared().has('drafts')) office.share('drafts', 0);
    exchange.changed('drafts');
    await exchange.quietly();
    await this.#release(id);
  }

  /**
   * Frees a draft whose sending computer is lost or was restored, because its version would mark
   * the draft as being sent forever. A former ID of this computer counts as another computer,
   * because a copied data folder has two active ones.
   */
  async #free(id: DraftId): Promise<void> {
    const { stores, room, exchange } = this.#ports;
    requireActive(stores);
    const open = await room.require();
    await exchange.run();
    const item = stores.office.item('draft', id);
    const sender = senderOf(item, open.joined.desk);
    if (item === null || sender === null) {
      throw new AppError('conflict', 'No other computer is sending this draft');
    }
    await assertSenderInactive(open, sender);
    await this.#requireSettled(open, id);
    const known = isErased(item.content) ? exchange.keepers.draft.read(id) : item.content;
    const content = { ...SharedDraft.parse(known), sendingAt: null };
    const version = { kind: item.kind, id: item.id, version: item.version + 1, content };
    if (!(await open.items.write([version])).has(version)) {
      throw new AppError(
        'conflict',
        'The draft was changed on another computer in the meantime. Open it again',
      );
    }
    const seat = stores.office.membership()?.seat ?? item.seat;
    stores.office.putItem({ ...item, ...version, seat });
    await exchange.quietly();
  }

  /**
   * Throws 'conflict' if a send of the draft may be in flight or at the service: it must be
   * resolved before anyone edits the draft.
   */
  async #requireSettled({ joined, seatNames }: OpenOffice, id: DraftId): Promise<void> {
    const ids = new Set([id, this.#ports.stores.drafts.origin(id) ?? id]);
    const keys = [...ids].map((one) => joined.claimKey(draftKey(one)));
    const held = await joined.claims.holders(keys);
    const open = held.find(({ state }) => state === 'claimed' || state === 'unknown');
    if (open === undefined) return;
    const who = (await seatNames()).get(open.seat) ?? 'Another user';
    const message = `${who} may have sent this draft. Find out the outcome first, in the list of unresolved sends`;
    throw new AppError('conflict', message, { reason: 'unsettled-elsewhere' });
  }

  async #list(): Promise<OfficeDraft[]> {
    const { stores, room } = this.#ports;
    const { office } = stores;
    const drafts = office.sharedDrafts();
    const kept = office.keptVersions();
    if (office.membership() === null || drafts.length + kept.length === 0) return [];
    const { joined, seatNames } = await room.require();
    const nameOf = await seatNames();
    const held = await joined.leases.list();
    const openDrafts = new Set(stores.drafts.ids());
    const nobody = { editor: null, isOwn: false, isSending: false, keptBeside: null };
    return [
      ...drafts.map((draft): OfficeDraft => {
        const task = hex(joined.claimKey(['task', 'draft', draft]));
        const lease = held.find(({ id }) => id === task);
        const item = office.item('draft', draft);
        const isSending = senderOf(item, joined.desk) !== null;
        const sender = isSending && item !== null ? (nameOf.get(item.seat) ?? '') : null;
        return {
          ...nobody,
          draft,
          editor: sender ?? lease?.seat ?? null,
          isOwn: !isSending && lease?.desk === joined.desk,
          isSending,
        };
      }),
      ...kept.map(({ draft, seat }) => ({
        ...nobody,
        draft,
        keptBeside: nameOf.get(seat) ?? '',
      })),
    ].filter(({ draft }) => openDrafts.has(draft));
  }

  #refuseSent(id: DraftId): void {
    const { office } = this.#ports.stores;
    if (senderOf(office.item('draft', id), office.membership()?.desk ?? '') === null) return;
    const message =
      'Another computer in the office is sending this draft. If that computer is lost or was silent for 15 minutes, a user can free the draft';
    throw new AppError('conflict', message, { reason: 'draft-elsewhere' });
  }
}

/**
 * The other computer that is sending the draft, as reported to the office; null if there is none.
 */
function senderOf(item: KnownItem | null, desk: string): string | null {
  if (item === null) return null;
  const sendingAt = aboutDraft(item.content)?.sendingAt ?? null;
  return sendingAt === desk ? null : sendingAt;
}

/**
 * Throws 'conflict' if the sending computer was seen recently. Computers of removed users are not
 * listed. The two times compared are by the office's clock; this computer was just seen by the
 * office.
 */
async function assertSenderInactive({ seats }: OpenOffice, sender: string): Promise<void> {
  const desks = (await seats()).flatMap((seat) => seat.desks);
  const found = desks.find(({ id }) => id === sender);
  const now = desks.find(({ isThis }) => isThis)?.seenAt ?? 0;
  if (found === undefined || now - found.seenAt >= ADOPTION_DELAY_MS) return;
  const left = Math.ceil((ADOPTION_DELAY_MS - (now - found.seenAt)) / MINUTE);
  const message = `The computer that is sending this draft was active recently, so nothing was changed. Cancel the send in the outbox of that computer, remove its user from the office, or try again in ${String(left)} min`;
  throw new AppError('conflict', message, { reason: 'claim-moves' });
}

function draftElsewhereError(seat: string, cause: unknown): AppError {
  const message = `${seat} is working on this draft`;
  return new AppError('conflict', message, { reason: 'draft-elsewhere', cause });
}
