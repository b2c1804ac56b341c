import { CoalescedTask } from '../../../../shared/coalesced.ts';
import type { OfficeItemKind, SharedItemSet } from '../../../../shared/contract/office/items.ts';
import type { Emit, EventName } from '../../../../shared/contract/index.ts';
import { AppError, type Failure } from '../../../../shared/errors.ts';
import { WHOLE } from '../../../../shared/rules/office/field-path.ts';
import {
  type Content,
  isSame,
  merge,
  type MergeResult,
  type MergeRequest,
} from '../../../../shared/rules/office/merge.ts';
import { Serial } from '../../../../shared/serial.ts';
import { isSchemaError } from '../../../../shared/shapes.ts';
import type { ToFailure } from '../../../../shared/wire.ts';
import type { Chance, Clock, Scheduler, Stores } from '../../ports.ts';
import { deactivationOf } from '../../deactivation.ts';

import type { KnownItem, NewItemVersion, SharedFiles, SharedItem, SharedItems } from './ports.ts';
import type { OpenOffice } from '../ports.ts';
import type { OfficeSession } from '../session.ts';
import { isErased } from './erased.ts';
import { type FetchedFiles, fetchFiles, fetchForEach, hasFiles, sendFiles } from './files.ts';
import { itemsOf } from './items-of.ts';
import {
  announce,
  createItemKeepers,
  type ItemKeepers,
  kindsOf,
  officeSetsForEvent,
} from './kinds.ts';
import { asContent, type KeeperPorts } from './keeper.ts';
import { rejectMassRemoval } from './mass-removal.ts';
import { type OfficeBeforeRestore, rebaseKnownItem } from './rebased.ts';
import { removalOf } from './removal.ts';
import { writeEach } from './write-each.ts';

/** Maximum number of changes per request; lower for items with files, which may have megabytes. */
const CHANGES_PER_REQUEST = { usual: 100, withFiles: 10 } as const;
/** Number of items written in one transaction, before other work may run. */
const ITEMS_PER_SLICE = 10;
/** Number of items compared before other work may run. */
const COMPARED_PER_YIELD = 50;
/** Maximum number of rounds per exchange, if another computer keeps changing the same items. */
const MAX_EXCHANGE_ROUNDS = 5;
/** Delay (ms) before an exchange, so that it sends many changes, such as an import, together. */
const QUIET_MS = 100;

interface ExchangePorts {
  readonly stores: KeeperPorts['stores'] & Pick<Stores, 'evidence' | 'transaction'>;
  readonly transitions: KeeperPorts['transitions'];
  readonly room: OfficeSession;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly scheduler: Scheduler;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
  /** Called when another computer reports that it has sent something to `service`. */
  readonly hinted: (service: string) => void;
}

/** A new version made by this computer. `known`: the office's last known version; null if none. */
interface ChangedItem {
  readonly version: NewItemVersion;
  readonly known: KnownItem | null;
}

type SharedStorage = Pick<OpenOffice, 'items' | 'files'>;
type AllowedKind = Awaited<ReturnType<SharedItems['kinds']>>[number];

interface ExchangeCount {
  received: number;
  sent: number;
}

/**
 * Synchronises the shared items of this computer and the office. The office's last known version of
 * each item is stored separately. If this computer's item differs, this computer changed the item.
 */
export class OfficeExchange {
  readonly keepers: ItemKeepers;
  readonly #ports: ExchangePorts;
  /** Serialises exchanges and the comparison after the office was restored. */
  readonly #turns = new Serial();
  readonly #running = new CoalescedTask(() => this.#exchange());
  #last: {
    readonly at: number | null;
    readonly failure: Failure | null;
    readonly count: ExchangeCount;
  } = {
    at: null,
    failure: null,
    count: { received: 0, sent: 0 },
  };
  /** Sets whose items were all compared with the office's and have not changed since then. */
  readonly #compared = new Set<SharedItemSet>();
  /** Error of the first item whose files the last exchange could not read; null if none. */
  #lost: AppError | null = null;
  /** First error of the items that the office rejected when a set was last sent, by set. */
  readonly #refused = new Map<SharedItemSet, AppError>();
  #isAnnouncing = false;
  #callOff: () => void = () => undefined;
  #listens = false;
  #hasEnded = false;

  constructor(ports: ExchangePorts) {
    this.#ports = ports;
    this.keepers = createItemKeepers(ports);
  }

  get last() {
    return this.#last;
  }

  /** Exchanges all changes made so far. Throws 'offline', and the errors of `SharedItems`. */
  run(): Promise<void> {
    return this.#running.run();
  }

  begin(): void {
    this.#listens = true;
  }

  /** Schedules an exchange after an event that may have changed shared items. */
  noticed(name: EventName): void {
    const isOfOthers =
      name !== 'drafts.changed' || this.#ports.stores.office.sharedDrafts().length > 0;
    const sets = isOfOthers ? officeSetsForEvent(name) : [];
    if (sets.length === 0 || this.#isAnnouncing) return;
    for (const set of sets) this.#compared.delete(set);
    this.soon();
  }

  /** Marks a set as changed by a user's decision; the next exchange sends it. */
  changed(set: SharedItemSet): void {
    this.#compared.delete(set);
  }

  /** Schedules an exchange after a short delay. */
  soon(): void {
    this.#callOff();
    if (this.#hasEnded || this.#ports.stores.office.membership() === null) return;
    this.#callOff = this.#ports.clock.after(QUIET_MS, () => void this.quietly());
  }

  /** Exchanges like `run`, but never throws: a failure is only stored in `last`. */
  quietly(): Promise<void> {
    return this.run().catch(() => undefined);
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    this.#callOff();
    await this.#running.ended();
  }

  /**
   * Compares the items of a restored office with those known on this computer. Items that the
   * office lost are sent with the next exchange. Items that had been removed before the restore are
   * removed again immediately, so that no computer brings them back.
   */
  rebase(office: SharedStorage, before: OfficeBeforeRestore): Promise<void> {
    return this.#turns.run(async () => {
      const { stores } = this.#ports;
      const allowed = await office.items.kinds();
      for (const set of stores.office.shared().keys()) {
        for (const kind of kindsOf[set]) {
          const found = allowed.find((one) => one.kind === kind);
          if (found !== undefined) await this.#rebase(found, office.items, before);
        }
        this.#compared.delete(set);
        if (stores.office.shared().has(set)) stores.office.share(set, 0);
      }
    });
  }

  async #rebase({ kind, mayWrite }: AllowedKind, items: SharedItems, before: OfficeBeforeRestore) {
    const { office } = this.#ports.stores;
    const [seen, removed] = [new Set<string>(), new Array<NewItemVersion>()];
    const limit = hasFiles(kind) ? CHANGES_PER_REQUEST.withFiles : CHANGES_PER_REQUEST.usual;
    for (let after = 0; ;) {
      const { items: page, hasMore } = await items.changes([kind], after, limit);
      await this.#inSlices(page, (slice) => {
        for (const item of slice) {
          seen.add(item.id);
          const known = office.item(kind, item.id);
          if (known === null) continue;
          const next = rebaseKnownItem(known, item, before);
          if (next === null) removed.push(this.#removal(known, item.version + 1));
          else office.putItem(next);
        }
      });
      after = page.at(-1)?.number ?? after;
      if (!hasMore) break;
    }
    const lost = [...itemsOf(office, kind)].filter(({ id }) => !seen.has(id));
    await this.#inSlices(lost, (slice) => {
      for (const known of slice) {
        const isGone =
          known.content === null ||
          (known.isHere && this.keepers[kind].read(known.id) === undefined);
        if (isGone) removed.push(this.#removal(known, 1));
        else {
          const content = known.isHere ? null : known.content;
          office.putItem({ ...known, version: 0, content, open: [] });
        }
      }
    });
    if (mayWrite) await this.#removeAgain(removed, items);
  }

  #removal(known: KnownItem, version: number): NewItemVersion {
    return removalOf(known, version, this.keepers[known.kind], this.#ports.stores.privacy);
  }

  /** Removes items again. If another computer changed one first, the user is asked about it. */
  async #removeAgain(removed: readonly NewItemVersion[], items: SharedItems): Promise<void> {
    const { office } = this.#ports.stores;
    for (let at = 0; at < removed.length; at += CHANGES_PER_REQUEST.usual) {
      // The next exchange sends rejected removals again and reports the error.
      const { written } = await writeEach(items, removed.slice(at, at + CHANGES_PER_REQUEST.usual));
      await this.#inSlices([...written], (slice) => {
        for (const version of slice) {
          const known = office.item(version.kind, version.id);
          if (known !== null) office.putItem({ ...known, ...version, open: [] });
        }
      });
    }
  }

  async #exchange(): Promise<void> {
    const { stores, room, clock, emit, toFailure, hinted } = this.#ports;
    // After a move, this computer is deactivated, and the new computer exchanges the items.
    if (deactivationOf(stores) !== null) return;
    const opening = room.open();
    if (opening === null) return;
    const count: ExchangeCount = { received: 0, sent: 0 };
    this.#lost = null;
    try {
      const { listen, ...office } = await opening;
      // Starts to listen before reading, so that no change is missed.
      if (this.#listens) {
        await listen((service) => {
          if (service === null) void this.quietly();
          else hinted(service);
        });
      }
      await this.#turns.run(() => this.#bringAll(office, count));
      const [refused = null] = this.#refused.values();
      const lost = this.#lost ?? refused;
      const failure = lost === null ? null : toFailure(lost, 'office.exchange');
      this.#last = { at: clock.now(), failure, count };
    } catch (error) {
      this.#last = { ...this.#last, failure: toFailure(error, 'office.exchange') };
      throw error;
    } finally {
      emit('office.exchanged', {});
    }
  }

  async #bringAll(office: SharedStorage, count: ExchangeCount): Promise<void> {
    const allowed = await office.items.kinds();
    const failures: unknown[] = [];
    for (const set of this.#ports.stores.office.shared().keys()) {
      const kinds = kindsOf[set].flatMap((kind) => allowed.find((one) => one.kind === kind) ?? []);
      // A failing set does not block the others.
      await this.#bring(set, kinds, office, count).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  async #bring(
    set: SharedItemSet,
    kinds: readonly AllowedKind[],
    office: SharedStorage,
    count: ExchangeCount,
  ): Promise<void> {
    for (let round = 0; round < MAX_EXCHANGE_ROUNDS; round += 1) {
      const readable = kinds.map(({ kind }) => kind);
      count.received += await this.#receive(set, readable, office);
      if (this.#compared.has(set)) return;
      // Added before the comparison, so that a change during it triggers another comparison.
      this.#compared.add(set);
      try {
        if (await this.#send(set, kinds, office, count)) return;
      } catch (error) {
        this.#compared.delete(set);
        throw error;
      }
      this.#compared.delete(set);
    }
    const message =
      'Other computers keep changing the same shared items, so sharing is tried again. If the server was restored, share the items again';
    throw new AppError('conflict', message);
  }

  /** Sends the changed items. Returns false if another computer changed some of them first. */
  async #send(
    set: SharedItemSet,
    kinds: readonly AllowedKind[],
    { items, files }: SharedStorage,
    count: ExchangeCount,
  ): Promise<boolean> {
    let isWhole = true;
    this.#refused.delete(set);
    for (const { kind, mayWrite } of kinds) {
      if (!mayWrite) continue;
      const changed = await this.#changed(kind);
      for (const { version } of changed) {
        await sendFiles(this.keepers, this.#ports.stores.office, version, files);
      }
      for (let at = 0; at < changed.length; at += CHANGES_PER_REQUEST.usual) {
        const some = changed.slice(at, at + CHANGES_PER_REQUEST.usual);
        const { written, refused } = await writeEach(
          items,
          some.map(({ version }) => version),
        );
        if (refused !== null) this.#refused.set(set, refused.error);
        if (written.size + (refused?.count ?? 0) < some.length) isWhole = false;
        count.sent += written.size;
        await this.#inSlices(some, (slice) => {
          for (const one of slice) if (written.has(one.version)) this.#keepWritten(set, one);
        });
      }
    }
    return isWhole;
  }

  /** Returns the files that the items need and this computer does not have, by hash. */
  async fetchFiles(
    items: readonly Pick<NewItemVersion, 'kind' | 'id' | 'content'>[],
    files: SharedFiles,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const fetched = new Map<string, Uint8Array>();
    for (const item of items) await fetchFiles(this.keepers, item, files, fetched);
    return fetched;
  }

  /** Receives new versions of the office. Returns the number of items changed on this computer. */
  async #receive(
    set: SharedItemSet,
    kinds: readonly OfficeItemKind[],
    { items, files }: SharedStorage,
  ): Promise<number> {
    const { stores } = this.#ports;
    const limit = kinds.some(hasFiles) ? CHANGES_PER_REQUEST.withFiles : CHANGES_PER_REQUEST.usual;
    const received: string[] = [];
    this.#readErasedAnew(set, kinds);
    for (;;) {
      const after = stores.office.shared().get(set);
      if (after === undefined) break;
      const { items: page, hasMore } = await items.changes(kinds, after, limit);
      const fetched = await fetchForEach(this.keepers, page, files);
      await this.#inSlices(page, (slice) => {
        if (!stores.office.shared().has(set)) return;
        for (const item of slice) if (this.#takeAny(set, item, fetched)) received.push(item.id);
        stores.office.share(set, slice.at(-1)?.number ?? after);
      });
      // If a file is missing, its item may just have been removed: changes are read again.
      if (!hasMore && fetched.lost.size === 0) break;
    }
    received.push(...(await this.#placeLate(kinds, files)));
    if (received.length > 0) this.#announce(set, received);
    return received.length;
  }

  /** Runs `work` in one transaction per `ITEMS_PER_SLICE` items, so that the user can work in between. */
  async #inSlices<One>(all: readonly One[], work: (slice: readonly One[]) => void): Promise<void> {
    const { stores, scheduler } = this.#ports;
    for (let at = 0; at < all.length; at += ITEMS_PER_SLICE) {
      stores.transaction(() => {
        work(all.slice(at, at + ITEMS_PER_SLICE));
      });
      await scheduler.yield();
    }
  }

  #announce(set: SharedItemSet, ids: readonly string[]): void {
    this.#isAnnouncing = true;
    try {
      announce(this.#ports.emit, set, ids);
    } finally {
      this.#isAnnouncing = false;
    }
  }

  /** Merges like `#take`. An item of an unknown shape is unreadable, and blocks no other item. */
  #takeAny(set: SharedItemSet, given: SharedItem, files: FetchedFiles): boolean {
    try {
      return this.#take(set, given, files);
    } catch (error) {
      if (!isSchemaError(error)) throw error;
      return this.#take(set, { ...given, isUnreadable: true }, files);
    }
  }

  /** Merges the office's version into this computer's item; returns whether that item changed. */
  #take(set: SharedItemSet, given: SharedItem, files: FetchedFiles): boolean {
    const { office } = this.#ports.stores;
    const { number: _number, age, ...item } = given;
    const { kind, id, version, content } = item;
    const known = office.item(kind, id);
    if (given.isUnreadable === true) {
      // This computer's item stays. Its next change follows the unreadable version and repairs it.
      if (known !== null && version > known.version) office.putItem({ ...known, version });
      return false;
    }
    if (known !== null && version <= known.version) {
      // This computer wrote this version, or read it before.
      const isKnown = isErased(known.content) || isSame(known.content, content);
      if (version === known.version && isKnown) return false;
      const message =
        'The office’s server has an older version of a shared item. If the server was restored, share the item again';
      throw new AppError('storage', message, { reason: 'data-damaged' });
    }
    const keeper = this.keepers[kind];
    const isKnown = (one: string): boolean => office.item(kind, one) !== null;
    if (known === null && content !== null && keeper.read(id) === undefined) {
      keeper.adopt?.(id, content, isKnown);
    }
    const mine = known?.isHere === false ? asContent(known.content) : keeper.read(id);
    const theirs = asContent(content);
    const began =
      known === null || this.#isOlderThanForgetting(item, { mine, theirs, age })
        ? this.#beginning(item, { mine, theirs, age })
        : { base: asContent(known.content), open: known.open };
    // If the office's file is not available, this computer's item stays until the user decides.
    const stays = known?.isHere !== false && mine !== undefined && files.lost.has(id);
    const open = stays && keeper.keepBoth === undefined ? [WHOLE] : began.open;
    const merged = this.#merged(item, { shape: keeper.shape, mine, theirs, ...began, open });
    // Differences that remain on this computer are sent after the next comparison.
    if (!isSame(merged.mine, asContent(content))) this.#compared.delete(set);
    return this.#put(item, merged, files);
  }

  /**
   * Returns the common base for an item whose version in the office was not known on this computer.
   * A removal on one side wins if the other side has not changed the item after it. If the other
   * side has, or if the time of its change is unknown, the user is asked.
   */
  #beginning(
    { kind, id }: Pick<SharedItem, 'kind' | 'id'>,
    { mine, theirs, age }: Pick<MergeRequest, 'mine' | 'theirs'> & Pick<SharedItem, 'age'>,
  ): Required<Pick<MergeRequest, 'base' | 'open'>> {
    const keeper = this.keepers[kind];
    const committedAt = this.#ports.clock.now() - age;
    const asked = { base: undefined, open: [WHOLE] };
    if (theirs === undefined && mine !== undefined) {
      const changedAt = keeper.changedAt?.(id) ?? null;
      return changedAt !== null && changedAt <= committedAt ? { base: mine, open: [] } : asked;
    }
    if (this.#isOlderThanForgetting({ kind, id }, { mine, theirs, age })) {
      return { base: theirs, open: [] };
    }
    const forgottenAt = mine === undefined ? (keeper.forgottenAt?.(id) ?? null) : null;
    if (theirs !== undefined && forgottenAt !== null) {
      // A personal number waits for its address book entry, about which the user is asked.
      if (kind !== 'number') return asked;
    }
    return { base: undefined, open: [] };
  }

  /** Whether the item was erased on this computer after the office received this version. */
  #isOlderThanForgetting(
    { kind, id }: Pick<SharedItem, 'kind' | 'id'>,
    { mine, theirs, age }: Pick<MergeRequest, 'mine' | 'theirs'> & Pick<SharedItem, 'age'>,
  ): boolean {
    if (mine !== undefined || theirs === undefined) return false;
    const forgottenAt = this.keepers[kind].forgottenAt?.(id) ?? null;
    return forgottenAt !== null && this.#ports.clock.now() - age <= forgottenAt;
  }

  /** Merges both sides. In a conflict, kinds with `keepBoth` keep both; others ask the user. */
  #merged(
    { kind, id, seat }: Omit<SharedItem, 'number' | 'age'>,
    order: MergeRequest,
  ): MergeResult {
    const merged = merge(order);
    const { keepBoth } = this.keepers[kind];
    if (keepBoth === undefined || merged.questions.length === 0) return merged;
    keepBoth(id, seat);
    return { mine: order.theirs, theirs: order.theirs, questions: [] };
  }

  /** Stores the merged item and the office's version; returns whether the item changed. */
  #put(
    item: Omit<SharedItem, 'number' | 'age'>,
    merged: MergeResult,
    { fetched, lost }: FetchedFiles,
  ): boolean {
    const { read, write } = this.keepers[item.kind];
    const isChanged = !isSame(merged.mine, read(item.id));
    const isHere = !isChanged || (!lost.has(item.id) && write(item.id, merged.mine, fetched));
    this.#ports.stores.office.putItem({ ...item, open: merged.questions, isHere });
    return isChanged && isHere;
  }

  /** Stores items that this computer could not store before, except items whose files are lost. */
  async #placeLate(
    kinds: readonly OfficeItemKind[],
    files: SharedFiles,
  ): Promise<readonly string[]> {
    const { office, transaction } = this.#ports.stores;
    const { keepers } = this;
    const late = kinds
      .flatMap((kind) => office.late(kind))
      .filter(
        ({ kind, id, content }) => !isErased(content) && keepers[kind].isClosed?.(id) !== true,
      );
    if (late.length === 0) return [];
    const { fetched, lost } = await fetchForEach(keepers, late, files);
    for (const error of lost.values()) this.#lost ??= error;
    const placed: string[] = [];
    transaction(() => {
      for (const { kind, id, version } of late) {
        const item = office.item(kind, id);
        // Another process of this computer has read a newer version or stored the item.
        if (item === null || item.isHere || item.version !== version || lost.has(id)) continue;
        if (!keepers[kind].write(id, asContent(item.content), fetched)) continue;
        office.putItem({ ...item, isHere: true });
        placed.push(id);
      }
    });
    return placed;
  }

  /** Requests items again that were erased before this computer stored them, unless permanently. */
  #readErasedAnew(set: SharedItemSet, kinds: readonly OfficeItemKind[]): void {
    const { office, transaction } = this.#ports.stores;
    transaction(() => {
      for (const item of kinds.flatMap((kind) => office.late(kind))) {
        if (item.version === 0 || !isErased(item.content)) continue;
        const { read, forgottenAt } = this.keepers[item.kind];
        const isForgotten =
          read(item.id) === undefined && (forgottenAt?.(item.id) ?? null) !== null;
        office.putItem(isForgotten ? { ...item, isHere: true } : { ...item, version: 0 });
        if (!isForgotten && office.shared().has(set)) office.share(set, 0);
      }
    });
  }

  /** Returns a new version of each item of this kind that differs from the office's version. */
  async #changed(kind: OfficeItemKind): Promise<readonly ChangedItem[]> {
    const { office } = this.#ports.stores;
    const { list, isWithheld } = this.keepers[kind];
    const changed: ChangedItem[] = [];
    const seen = new Set<string>();
    const compare = (id: string, content: Content, known: KnownItem | null): void => {
      if (known?.isHere === false || isWithheld?.(id) === true) return;
      const wanted = known === null ? content : this.#outgoing(known, content).theirs;
      if (isSame(wanted, asContent(known?.content ?? null))) return;
      const version = (known?.version ?? 0) + 1;
      const isGone = wanted === undefined && known !== null;
      const written = isGone
        ? this.#removal(known, version)
        : { kind, id, version, content: wanted ?? null };
      changed.push({ version: written, known });
    };
    await this.#paced(list(), ([id, content]) => {
      seen.add(id);
      compare(id, content, office.item(kind, id));
    });
    const before = changed.length;
    await this.#paced(itemsOf(office, kind), (known) => {
      if (!seen.has(known.id)) compare(known.id, undefined, known);
    });
    rejectMassRemoval(changed.length - before, seen.size);
    return changed;
  }

  async #paced<One>(all: Iterable<One>, look: (one: One) => void): Promise<void> {
    let looked = 0;
    for (const one of all) {
      look(one);
      looked += 1;
      if (looked % COMPARED_PER_YIELD === 0) await this.#ports.scheduler.yield();
    }
  }

  /** Merges an item for sending. The office keeps its values of fields with an open question. */
  #outgoing({ kind, content, open }: KnownItem, mine: Content): MergeResult {
    const base = asContent(content);
    return merge({ shape: this.keepers[kind].shape, base, mine, theirs: base, open });
  }

  #keepWritten(set: SharedItemSet, { version, known }: ChangedItem): void {
    const { office } = this.#ports.stores;
    const seat = office.membership()?.seat;
    if (seat === undefined || !office.shared().has(set)) return;
    // Another process of this computer has read a newer version.
    if ((office.item(version.kind, version.id)?.version ?? 0) >= version.version) return;
    const open = known?.open ?? [];
    // While a question is open, the version stays attributed to the other user.
    const whose = known !== null && open.length > 0 ? known.seat : seat;
    office.putItem({ ...version, seat: whose, open, isHere: true });
  }
}
