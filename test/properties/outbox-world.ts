import { expect } from 'vitest';
import {
  type OutboxEvent,
  type MachineRow,
  type Step,
  transition,
} from '../../electron/core/outbox/machine.ts';
import { MAX_ON_WIRE } from '../../electron/core/outbox/times.ts';
import { AgreementId } from '../../shared/model/ids.ts';
import type { SendMark, OutboxPolicy, IncompleteReason } from '../../shared/contract/outbox.ts';
import { MINUTE } from '../../shared/rules/time/units.ts';

/** Whether and when the service carries out a request that has been sent. */
export type Fate = 'never' | 'at once' | 'late';

export const ANSWERS = [
  'done',
  'refused',
  'turned away',
  'not sent',
  'lost',
  'lost, clock unheard',
] as const;
export type Answer = (typeof ANSWERS)[number];

export const DECISIONS = [
  'send again',
  'give up',
  'cancel',
  'that is it',
  'keep the first',
] as const;
export type Decision = (typeof DECISIONS)[number];

const START = 1_000 * 24 * 60 * MINUTE;
/**
 * Longest delay of a service that the outbox allows for (ms): too short for the two scans without a
 * match that prove absence.
 */
const LATEST = 12 * MINUTE;
/** Duration of the time without faults (ms), longer than any wait of the outbox. */
const FAULTLESS_MS = 240 * MINUTE;

const ENDS = ['sent', 'rejected', 'human', 'duplicate', 'cancelled', 'abandoned'];

interface About {
  readonly mark: SendMark['by'];
  readonly policy: OutboxPolicy;
}

/** Model of one send, its service, and a copy of its row that can be restored. */
export class OutboxWorld {
  #now = START;
  #row: MachineRow & { readonly nextAt: number | null };
  #isOnWire = false;
  /** Time at which each created agreement appears in the service's list (epoch ms). */
  readonly #made: number[] = [];
  /** Indexes of the agreements that a colleague revoked or deleted. */
  readonly #takenBack = new Set<number>();
  /** Number of attempts with an unknown outcome since the user's last decision. */
  #unknown = 0;
  #copied: (MachineRow & { readonly nextAt: number | null }) | null = null;

  constructor({ mark, policy }: About) {
    const track = {
      endedAt: null,
      cleanPasses: 0,
      cleanAt: null,
      inconclusiveScans: 0,
      inconclusiveSince: null,
      looks: 0,
      lookAt: null,
    };
    this.#row = {
      state: 'queued',
      policy,
      attempts: 0,
      verify: false,
      remoteId: null,
      createdAt: START,
      mark: { by: mark },
      track,
      wasInDoubt: false,
      nextAt: START,
    };
  }

  /**
   * Starts an attempt if the store allows it: the row is queued and due, and does not wait for a
   * scan.
   */
  claim(): void {
    const { state, verify, nextAt, attempts } = this.#row;
    if (state !== 'queued' || verify || nextAt === null || nextAt > this.#now) return;
    if (this.#unknown > 0) this.#expectMayRepeat();
    this.#row = { ...this.#row, state: 'sending', attempts: attempts + 1 };
    this.#isOnWire = true;
  }

  /**
   * Expects that automatic repeats are few, and that only a send is repeated that has a mark and
   * whose policy allows it.
   */
  #expectMayRepeat(): void {
    expect(this.#row.policy).toBe('auto');
    expect(this.#row.mark.by).not.toBe('nothing');
    expect(this.#unknown).toBeLessThan(MAX_ON_WIRE);
  }

  answer(what: Answer, fate: Fate, lag: number): void {
    if (!this.#isOnWire) return;
    this.#isOnWire = false;
    const endedAt = this.#now;
    switch (what) {
      case 'done':
        this.#make('at once', lag);
        this.#apply({ kind: 'done', remoteId: idOf(this.#made.length - 1) });
        break;
      case 'refused':
        // A service that rejects a request may nevertheless have carried it out immediately.
        this.#make(fate === 'late' ? 'never' : fate, 0);
        this.#apply({ kind: 'refused', endedAt });
        break;
      case 'turned away':
        this.#make(fate === 'late' ? 'never' : fate, lag);
        this.#apply({ kind: 'turned-away', nextAt: this.#now, endedAt });
        break;
      case 'not sent':
        this.#apply({ kind: 'not-sent', nextAt: this.#now });
        break;
      case 'lost':
        this.#unknown += 1;
        this.#make(fate, lag);
        this.#apply({ kind: 'lost', endedAt });
        break;
      case 'lost, clock unheard':
        this.#unknown += 1;
        this.#make(fate, lag);
        this.#apply({ kind: 'lost', endedAt: null });
        break;
    }
  }

  /**
   * Ends the program in the middle of its work, and starts it again; `fate` is that of a request in
   * flight.
   */
  kill(fate: Fate): void {
    if (this.#isOnWire) {
      this.#unknown += 1;
      this.#make(fate, 0);
    }
    this.#isOnWire = false;
    this.#apply({ kind: 'restart', isRestored: false });
  }

  copy(): void {
    if (!this.#isOnWire) this.#copied = this.#row;
  }

  /**
   * Restores the copied row, as data of an earlier day; the program detects the restore when it
   * starts.
   */
  restore(): void {
    if (this.#copied === null) return;
    if (this.#isOnWire) this.#make('at once', 0);
    this.#isOnWire = false;
    this.#row = this.#copied;
    this.#apply({ kind: 'restart', isRestored: true });
  }

  /**
   * Lets a colleague revoke or delete an agreement whose outcome is unknown, so that the service's
   * list no longer shows it.
   */
  takeBack(): void {
    const isUnknown = this.#row.state === 'unknown';
    const index = this.#made.findIndex((at, one) => at <= this.#now && !this.#takenBack.has(one));
    if (isUnknown && index !== -1) this.#takenBack.add(index);
  }

  wait(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /**
   * Reads the service's list as the outbox does. If the row's agreement is proven absent, decides
   * about the row.
   */
  look(incompleteReason: IncompleteReason | null): void {
    if (this.#isOnWire) return;
    const seen = incompleteReason === null ? this.#visible() : [];
    const isMarked = this.#row.mark.by !== 'nothing';
    this.#apply({
      kind: 'pass',
      seen: {
        hits: isMarked ? seen : [],
        lookalikes: isMarked ? 0 : seen.filter((id) => id !== this.#row.remoteId).length,
        incompleteReason,
        serverAt: this.#now,
      },
    });
    const isNeverMade = this.#row.mark.by === 'token' && this.#made.length === 0;
    if (this.#row.state === 'absent') {
      this.#apply({ kind: 'absent', mayResend: true, isNeverMade });
    }
  }

  /**
   * Applies the user's decision. Returns true if the user was asked, and allowed one more
   * agreement.
   */
  decide(what: Decision): boolean {
    const { state } = this.#row;
    switch (what) {
      case 'send again':
        if (state !== 'human') return false;
        this.#unknown = 0;
        return this.#apply({ kind: 'resend' });
      case 'give up':
        if (state === 'human') this.#apply({ kind: 'abandon' });
        return false;
      case 'cancel':
        this.#apply({ kind: 'cancel' });
        return false;
      case 'that is it': {
        const [id] = this.#visible();
        if (state === 'human' && id !== undefined) this.#apply({ kind: 'confirm', remoteId: id });
        return false;
      }
      case 'keep the first':
        if (state === 'duplicate') this.#apply({ kind: 'keep', remoteId: idOf(0) });
        return false;
    }
  }

  /** Makes the service's list unreadable for some rounds, while all other work continues. */
  rough(every: number, rounds: number): void {
    for (let round = 0; round < rounds; round += 1) {
      this.wait(every);
      this.look('not-reached');
      this.claim();
      this.answer('done', 'at once', 0);
    }
  }

  /**
   * Runs without faults and without a user: due rows are sent and arrive, and the service's list is
   * read.
   */
  calm(every: number): void {
    for (let passed = 0; passed < FAULTLESS_MS; passed += every) {
      this.wait(every);
      this.claim();
      this.answer('done', 'at once', 0);
      this.look(null);
    }
  }

  /** Expects no more agreements than allowed, and an agreement if the row is reported as sent. */
  expectTruth(allowed: number): void {
    const { state, remoteId } = this.#row;
    expect(this.#made.length).toBeLessThanOrEqual(allowed);
    if (state !== 'sent') return;
    expect(this.#made.length).toBeGreaterThan(0);
    expect(remoteId).not.toBeNull();
  }

  /**
   * Expects that the row is settled, and that more than one agreement of a marked send is reported
   * as a duplicate.
   */
  expectEnd(): void {
    const { state, verify } = this.#row;
    expect(ENDS).toContain(state);
    expect(verify).toBe(false);
    const isMarked = this.#row.mark.by !== 'nothing';
    const shown = this.#made.length - this.#takenBack.size;
    if (isMarked && shown > 1) expect(state).toBe('duplicate');
  }

  #apply(event: OutboxEvent): boolean {
    const step: Step | null = transition(this.#row, event, this.#now);
    if (step === null) return false;
    const { to, isUncounted = false, track, ...rest } = step;
    this.#row = {
      ...this.#row,
      ...rest,
      state: to,
      attempts: this.#row.attempts - (isUncounted ? 1 : 0),
      track: { ...this.#row.track, ...track },
      wasInDoubt: this.#row.wasInDoubt || to === 'unknown',
    };
    return true;
  }

  #make(fate: Fate, lag: number): void {
    if (fate === 'never') return;
    // For a request that is carried out late, the time until the agreement is listed is just below
    // the longest assumed delay.
    this.#made.push(fate === 'late' ? this.#now + LATEST - 1 : this.#now + lag);
  }

  #visible(): readonly AgreementId[] {
    return this.#made.flatMap((at, index) =>
      at <= this.#now && !this.#takenBack.has(index) ? [idOf(index)] : [],
    );
  }
}

const idOf = (index: number): AgreementId => AgreementId.parse(`remote-${String(index)}`);
