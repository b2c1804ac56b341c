import { Coalesced } from '../../../../shared/coalesced.ts';
import type { OfficeItemKind, OfficeSet } from '../../../../shared/contract/office/items.ts';
import type { Emit, EventName } from '../../../../shared/contract/index.ts';
import { AppError, type Failure } from '../../../../shared/errors.ts';
import { WHOLE } from '../../../../shared/rules/office/field-path.ts';
import {
  type Content,
  isSame,
  merge,
  type Merged,
  type MergeOrder,
} from '../../../../shared/rules/office/merge.ts';
import { Serial } from '../../../../shared/serial.ts';
import { isOfOtherShape } from '../../../../shared/shapes.ts';
import type { ToFailure } from '../../../../shared/wire.ts';
import type { Chance, Clock, Scheduler, Stores } from '../../ports.ts';
import { deactivationOf } from '../../deactivation.ts';
import type {
  KnownItem,
  NewItemVersion,
  OpenOffice,
  SharedFiles,
  SharedItem,
  SharedItems,
} from '../ports.ts';
import type { OfficeSession } from '../session.ts';
import { isErased } from './erased.ts';
import { type FetchedFiles, fetchFiles, fetchForEach, hasFiles, sendFiles } from './files.ts';
import { itemsOf } from './items-of.ts';
import { announce, createItemKeepers, type ItemKeepers, kindsOf, setsBehind } from './kinds.ts';
import { asContent, type KeeperPorts } from './keeper.ts';
import { rejectMassRemoval } from './mass-removal.ts';
import { type Before, rebased } from './rebased.ts';
import { removalOf } from './removal.ts';
import { writeEach } from './write-each.ts';

/** Changes that are asked for at once; templates bring files of megabytes. */
const PAGE = { usual: 100, withFiles: 10 } as const;
/** Items that are written, or compared, before anything else has its turn. */
const SLICE = 10;
const COMPARED = 50;
/** Another desk that writes all the time is waited for no longer than this. */
const ROUNDS = 5;
/** What is changed at once, as by an import, goes out once. */
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
  /** Another desk sent something to this service. */
  readonly hinted: (service: string) => void;
}

/** A version that this desk made, and how the office had it before; null where it did not. */
interface Changed {
  readonly version: NewItemVersion;
  readonly known: KnownItem | null;
}

type SharedWith = Pick<OpenOffice, 'items' | 'files'>;
type AllowedKind = Awaited<ReturnType<SharedItems['kinds']>>[number];

/** How often the office and this desk exchanged something. */
interface Count {
  received: number;
  sent: number;
}

/**
 * Brings what this desk shares and what the office has together. This desk's own tables are what it
 * works with, with or without an office; beside them stands how the office had each item last, and what
 * differs from that was changed here.
 */
export class OfficeExchange {
  readonly keepers: ItemKeepers;
  readonly #ports: ExchangePorts;
  /** An exchange and a comparison after the office was put back come one after the other. */
  readonly #turns = new Serial();
  readonly #running = new Coalesced(() => this.#exchange());
  #last: { readonly at: number | null; readonly failure: Failure | null; readonly count: Count } = {
    at: null,
    failure: null,
    count: { received: 0, sent: 0 },
  };
  /** Sets of which everything here was compared, and nothing was changed since. */
  readonly #compared = new Set<OfficeSet>();
  /** Why the last exchange could not read some item, although it read the others. */
  #lost: AppError | null = null;
  /** Items that the office refuses to take from this desk, by set, as its comparison found them. */
  readonly #refused = new Map<OfficeSet, AppError>();
  #isAnnouncing = false;
  #callOff: () => void = () => undefined;
  #listens = false;
  #hasEnded = false;

  constructor(ports: ExchangePorts) {
    this.#ports = ports;
    this.keepers = createItemKeepers(ports);
  }

  /** How the last exchange went, since the program began. */
  get last() {
    return this.#last;
  }

  /** All that was changed here and there until now. Throws 'offline', and as `SharedItems` does. */
  run(): Promise<void> {
    return this.#running.run();
  }

  /** From now on this desk hears when another one changed something. */
  begin(): void {
    this.#listens = true;
  }

  /** Something may have been changed here, which goes out soon. */
  noticed(name: EventName): void {
    // Drafts are written all the time, and most of them are of this desk alone.
    const isOfOthers =
      name !== 'drafts.changed' || this.#ports.stores.office.sharedDrafts().length > 0;
    const sets = isOfOthers ? setsBehind(name) : [];
    // What was received is as the office has it.
    if (sets.length === 0 || this.#isAnnouncing) return;
    for (const set of sets) this.#compared.delete(set);
    this.soon();
  }

  /** A person decided something: it goes out with the next exchange. */
  changed(set: OfficeSet): void {
    this.#compared.delete(set);
  }

  /** Sends and receives within a moment. */
  soon(): void {
    this.#callOff();
    if (this.#hasEnded || this.#ports.stores.office.membership() === null) return;
    this.#callOff = this.#ports.clock.after(QUIET_MS, () => void this.quietly());
  }

  /** As `run`; a failure stands in `last`. */
  quietly(): Promise<void> {
    return this.run().catch(() => undefined);
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    this.#callOff();
    await this.#running.ended();
  }

  /**
   * The office was put back to an older state, as it was at a change with a number: what it had of each
   * item is compared with what this desk knows. What the office lost is sent again with the next exchange, and
   * what was removed is removed at once, so that no desk brings it back.
   */
  rebase(office: SharedWith, before: Before): Promise<void> {
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

  async #rebase({ kind, mayWrite }: AllowedKind, items: SharedItems, before: Before) {
    const { office } = this.#ports.stores;
    const [seen, removed] = [new Set<string>(), new Array<NewItemVersion>()];
    const limit = hasFiles(kind) ? PAGE.withFiles : PAGE.usual;
    for (let after = 0; ;) {
      const { items: page, hasMore } = await items.changes([kind], after, limit);
      await this.#inSlices(page, (slice) => {
        for (const item of slice) {
          seen.add(item.id);
          const known = office.item(kind, item.id);
          if (known === null) continue;
          const next = rebased(known, item, before);
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

  /** Whoever was first with another version of it is received, and asks where both differ. */
  async #removeAgain(removed: readonly NewItemVersion[], items: SharedItems): Promise<void> {
    const { office } = this.#ports.stores;
    for (let at = 0; at < removed.length; at += PAGE.usual) {
      // What the office refuses is sent again with the next exchange, which tells it.
      const { written } = await writeEach(items, removed.slice(at, at + PAGE.usual));
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
    // This desk moved to another computer, which goes on in its place.
    if (deactivationOf(stores) !== null) return;
    const opening = room.open();
    if (opening === null) return;
    const count: Count = { received: 0, sent: 0 };
    this.#lost = null;
    try {
      const { listen, ...office } = await opening;
      // Before it is read: what changes meanwhile is heard of.
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

  async #bringAll(office: SharedWith, count: Count): Promise<void> {
    const allowed = await office.items.kinds();
    const failures: unknown[] = [];
    for (const set of this.#ports.stores.office.shared().keys()) {
      const kinds = kindsOf[set].flatMap((kind) => allowed.find((one) => one.kind === kind) ?? []);
      // One that fails holds up none of the others.
      await this.#bring(set, kinds, office, count).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  async #bring(
    set: OfficeSet,
    kinds: readonly AllowedKind[],
    office: SharedWith,
    count: Count,
  ): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const readable = kinds.map(({ kind }) => kind);
      count.received += await this.#receive(set, readable, office);
      if (this.#compared.has(set)) return;
      // Before it is compared: what changes meanwhile is compared again.
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
      'Other computers keep changing the same items. Sharing is tried again. If the server was restored, share them again';
    throw new AppError('conflict', message);
  }

  /** False where another desk was first with some of it. */
  async #send(
    set: OfficeSet,
    kinds: readonly AllowedKind[],
    { items, files }: SharedWith,
    count: Count,
  ): Promise<boolean> {
    let isWhole = true;
    this.#refused.delete(set);
    for (const { kind, mayWrite } of kinds) {
      if (!mayWrite) continue;
      const changed = await this.#changed(kind);
      for (const { version } of changed) {
        await sendFiles(this.keepers, this.#ports.stores.office, version, files);
      }
      for (let at = 0; at < changed.length; at += PAGE.usual) {
        const some = changed.slice(at, at + PAGE.usual);
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

  /** Files that items need and this desk does not have, by hash. */
  async fetchFiles(
    items: readonly Pick<NewItemVersion, 'kind' | 'id' | 'content'>[],
    files: SharedFiles,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const fetched = new Map<string, Uint8Array>();
    for (const item of items) await fetchFiles(this.keepers, item, files, fetched);
    return fetched;
  }

  /** Gives how many items were changed here by it. */
  async #receive(
    set: OfficeSet,
    kinds: readonly OfficeItemKind[],
    { items, files }: SharedWith,
  ): Promise<number> {
    const { stores } = this.#ports;
    const limit = kinds.some(hasFiles) ? PAGE.withFiles : PAGE.usual;
    const received: string[] = [];
    this.#readErasedAnew(set, kinds);
    for (;;) {
      const after = stores.office.shared().get(set);
      // A person shares it no more.
      if (after === undefined) break;
      const { items: page, hasMore } = await items.changes(kinds, after, limit);
      const fetched = await fetchForEach(this.keepers, page, files);
      await this.#inSlices(page, (slice) => {
        // A person shares it no more.
        if (!stores.office.shared().has(set)) return;
        for (const item of slice) if (this.#takeAny(set, item, fetched)) received.push(item.id);
        stores.office.share(set, slice.at(-1)?.number ?? after);
      });
      // What lacks a file may have been removed meanwhile.
      if (!hasMore && fetched.lost.size === 0) break;
    }
    received.push(...(await this.#placeLate(kinds, files)));
    if (received.length > 0) this.#announce(set, received);
    return received.length;
  }

  /** A transaction for each few: whoever works here goes on between them. */
  async #inSlices<One>(all: readonly One[], work: (slice: readonly One[]) => void): Promise<void> {
    const { stores, scheduler } = this.#ports;
    for (let at = 0; at < all.length; at += SLICE) {
      stores.transaction(() => {
        work(all.slice(at, at + SLICE));
      });
      await scheduler.yield();
    }
  }

  #announce(set: OfficeSet, ids: readonly string[]): void {
    this.#isAnnouncing = true;
    try {
      announce(this.#ports.emit, set, ids);
    } finally {
      this.#isAnnouncing = false;
    }
  }

  /** As `#take`. What has another shape than desks write is as what cannot be read, and holds up no other. */
  #takeAny(set: OfficeSet, given: SharedItem, files: FetchedFiles): boolean {
    try {
      return this.#take(set, given, files);
    } catch (error) {
      if (!isOfOtherShape(error)) throw error;
      return this.#take(set, { ...given, isUnreadable: true }, files);
    }
  }

  /** Merges a version of the office into what is here; whether anything here changed. */
  #take(set: OfficeSet, given: SharedItem, files: FetchedFiles): boolean {
    const { office } = this.#ports.stores;
    const { number: _number, age, ...item } = given;
    const { kind, id, version, content } = item;
    const known = office.item(kind, id);
    if (given.isUnreadable === true) {
      // What is here stays; the next change of it follows the version that nobody can read, and so repairs it.
      if (known !== null && version > known.version) office.putItem({ ...known, version });
      return false;
    }
    if (known !== null && version <= known.version) {
      // Written by this desk, or read before.
      const isKnown = isErased(known.content) || isSame(known.content, content);
      if (version === known.version && isKnown) return false;
      const message =
        'The office’s server has an older version of a shared item. If the server was restored, share it again';
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
    // The office's file cannot be had: what is here stays until a person chose.
    const stays = known?.isHere !== false && mine !== undefined && files.lost.has(id);
    const open = stays && keeper.keepBoth === undefined ? [WHOLE] : began.open;
    const merged = this.#merged(item, { shape: keeper.shape, mine, theirs, ...began, open });
    // What is left of this side goes out.
    if (!isSame(merged.mine, asContent(content))) this.#compared.delete(set);
    return this.#put(item, merged, files);
  }

  /**
   * What both sides began with, of something that this desk does not know the office's version of. A removal
   * on either side wins over what was not changed after it; otherwise, and where the time of the change is
   * not known, a person is asked.
   */
  #beginning(
    { kind, id }: Pick<SharedItem, 'kind' | 'id'>,
    { mine, theirs, age }: Pick<MergeOrder, 'mine' | 'theirs'> & Pick<SharedItem, 'age'>,
  ): Required<Pick<MergeOrder, 'base' | 'open'>> {
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
      // A number waits for its entry, about which a person is asked.
      if (kind !== 'number') return asked;
    }
    return { base: undefined, open: [] };
  }

  /** Whether it was forgotten here after the office got this version of it. */
  #isOlderThanForgetting(
    { kind, id }: Pick<SharedItem, 'kind' | 'id'>,
    { mine, theirs, age }: Pick<MergeOrder, 'mine' | 'theirs'> & Pick<SharedItem, 'age'>,
  ): boolean {
    if (mine !== undefined || theirs === undefined) return false;
    const forgottenAt = this.keepers[kind].forgottenAt?.(id) ?? null;
    return forgottenAt !== null && this.#ports.clock.now() - age <= forgottenAt;
  }

  /** Nobody is asked about what keeps both. */
  #merged({ kind, id, seat }: Omit<SharedItem, 'number' | 'age'>, order: MergeOrder): Merged {
    const merged = merge(order);
    const { keepBoth } = this.keepers[kind];
    if (keepBoth === undefined || merged.questions.length === 0) return merged;
    keepBoth(id, seat);
    return { mine: order.theirs, theirs: order.theirs, questions: [] };
  }

  /** Writes what was merged here, and how the office has it. */
  #put(
    item: Omit<SharedItem, 'number' | 'age'>,
    merged: Merged,
    { fetched, lost }: FetchedFiles,
  ): boolean {
    const { read, write } = this.keepers[item.kind];
    const isChanged = !isSame(merged.mine, read(item.id));
    const isHere = !isChanged || (!lost.has(item.id) && write(item.id, merged.mine, fetched));
    this.#ports.stores.office.putItem({ ...item, open: merged.questions, isHere });
    return isChanged && isHere;
  }

  /**
   * What this desk had no place for may have one by now. One whose files the server has lost stays late, and
   * is what the exchange says; the others go on.
   */
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
        // Another process of this desk has read a newer one meanwhile, or placed it.
        if (item === null || item.isHere || item.version !== version || lost.has(id)) continue;
        if (!keepers[kind].write(id, asContent(item.content), fetched)) continue;
        office.putItem({ ...item, isHere: true });
        placed.push(id);
      }
    });
    return placed;
  }

  /** What was erased before it had a place here is read once more, or was forgotten for all. */
  #readErasedAnew(set: OfficeSet, kinds: readonly OfficeItemKind[]): void {
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

  /** What the office is to have of this kind, as far as it has it otherwise. */
  async #changed(kind: OfficeItemKind): Promise<readonly Changed[]> {
    const { office } = this.#ports.stores;
    const { list, isWithheld } = this.keepers[kind];
    const changed: Changed[] = [];
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
      if (looked % COMPARED === 0) await this.#ports.scheduler.yield();
    }
  }

  /** Where a person is asked, the office keeps its own. */
  #outgoing({ kind, content, open }: KnownItem, mine: Content): Merged {
    const base = asContent(content);
    return merge({ shape: this.keepers[kind].shape, base, mine, theirs: base, open });
  }

  #keepWritten(set: OfficeSet, { version, known }: Changed): void {
    const { office } = this.#ports.stores;
    const seat = office.membership()?.seat;
    if (seat === undefined || !office.shared().has(set)) return;
    // Another process of this desk has read a newer one meanwhile.
    if ((office.item(version.kind, version.id)?.version ?? 0) >= version.version) return;
    const open = known?.open ?? [];
    // What a person is asked about stays another seat's, whatever else this desk adds.
    const whose = known !== null && open.length > 0 ? known.seat : seat;
    office.putItem({ ...version, seat: whose, open, isHere: true });
  }
}
