import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { OfficeApproval } from '../../../shared/contract/office/approvals.ts';
import { CoalescedTask } from '../../../shared/coalesced.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { areSameDocuments } from '../../../shared/rules/office/approvals.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { connectionEvidence, personEvidence } from '../evidence/about.ts';
import type { EvidenceLog } from '../evidence/log.ts';
import type { Chance, Stores } from '../ports.ts';
import { requireActive, deactivationOf } from '../deactivation.ts';
import { isKnown } from '../services/fresh-copy.ts';
import { notesOf } from '../signing/notes.ts';
import { connectionsTo, serviceOf } from '../services/same-service.ts';
import type { RequestedApproval } from './ports.ts';
import type { OfficeSession } from './session.ts';

interface ApprovalPorts {
  readonly stores: Stores;
  readonly room: OfficeSession;
  readonly evidenceLog: EvidenceLog;
  readonly chance: Chance;
  readonly toFailure: ToFailure;
}

type Handlers = Pick<
  HandlersOf<'office'>,
  'office.askApproval' | 'office.approvals' | 'office.decide'
>;

/**
 * Four-eyes approval on two computers. The approver has reviewed the same bytes on their own
 * computer, and the office's database rejects a decision on one's own request. The evidence of each
 * computer records its own part.
 */
export class OfficeApprovalWork {
  readonly handlers: Handlers;
  readonly #ports: ApprovalPorts;
  readonly #taking = new CoalescedTask(() => this.#take());

  constructor(ports: ApprovalPorts) {
    this.#ports = ports;
    this.handlers = {
      'office.askApproval': async ({ note, ...key }) => {
        await this.#ask(key, note);
        return {};
      },
      'office.approvals': () => this.#list(),
      'office.decide': async (order) => {
        await this.#decide(order);
        return {};
      },
    };
  }

  /** Records others' approvals of this computer's requests in the evidence. Throws 'offline'. */
  take(): Promise<void> {
    return this.#taking.run();
  }

  ended(): Promise<void> {
    return this.#taking.ended();
  }

  /** Like `take`, but logs errors: for callers that do not wait. */
  async takeQuietly(): Promise<void> {
    await this.take().catch(
      (error: unknown) => void this.#ports.toFailure(error, 'office.approvals'),
    );
  }

  async #ask(key: AgreementKey, note: string): Promise<void> {
    const { stores, room, chance } = this.#ports;
    requireActive(stores);
    const office = await room.require();
    const { title, documents } = stores.agreements.details(key);
    const notes = notesOf(stores, key, documents);
    if (notes.review?.isCurrent !== true) {
      throw new AppError('conflict', 'Review the agreement first', { reason: 'not-reviewed' });
    }
    await office.approvals.ask(chance.uuid(), {
      title,
      service: serviceOf(stores, key.connectionId),
      agreementId: key.id,
      review: notes.review.number,
      documents: [...notes.documents],
      note,
    });
  }

  async #list(): Promise<OfficeApproval[]> {
    const office = await this.#ports.room.open();
    if (office === null) return [];
    const requested = await office.approvals.list();
    if (requested.length === 0) return [];
    const names = await office.seatNames();
    this.#noteAll(requested, names);
    return requested.map((one) => this.#shown(one, names));
  }

  #shown(one: RequestedApproval, names: ReadonlyMap<string, string>): OfficeApproval {
    const { id, from, askedAt, request, decision } = one;
    const agreement = this.#agreementOf(one);
    return {
      id,
      title: request?.title ?? null,
      note: request?.note ?? '',
      asker: names.get(from) ?? '',
      isOwn: from === this.#ports.stores.office.membership()?.seat,
      askedAt,
      agreement,
      isReviewed: agreement !== null && this.#whyNotReviewed(agreement, one) === null,
      decision: decision && {
        isApproved: decision.isApproved,
        person: decision.person.name,
        seat: names.get(decision.by) ?? '',
        reason: decision.reason,
        at: decision.at,
      },
    };
  }

  async #decide({
    id,
    identityId,
    isApproved,
    reason,
  }: Parameters<Handlers['office.decide']>[0]): Promise<void> {
    const { stores, room, evidenceLog } = this.#ports;
    requireActive(stores);
    const office = await room.require();
    const one = (await office.approvals.list()).find((found) => found.id === id);
    if (one === undefined || one.decision !== null) throw alreadyDecidedError();
    if (one.request === null) throw unreadableApprovalError();
    const agreement = this.#agreementOf(one);
    if (isApproved) {
      const why =
        agreement === null ? agreementOutOfReachError() : this.#whyNotReviewed(agreement, one);
      if (why !== null) throw why;
    }
    const person = personEvidence(stores.identities.get(identityId));
    if (!(await office.approvals.decide(id, { isApproved, person, reason })))
      throw alreadyDecidedError();
    if (!isApproved || agreement === null) return;
    const { review } = notesOf(stores, agreement, stores.agreements.details(agreement).documents);
    if (review === null) return;
    const asker = (await office.seatNames()).get(one.from) ?? '';
    evidenceLog.append({
      ...this.#context(agreement),
      person,
      fact: { kind: 'approved', review: review.number, office: { id, for: asker } },
    });
  }

  async #take(): Promise<void> {
    const { stores, room } = this.#ports;
    if (deactivationOf(stores) !== null) return;
    const office = await room.open();
    if (office === null) return;
    const requested = await office.approvals.list();
    if (requested.length > 0) this.#noteAll(requested, await office.seatNames());
  }

  #noteAll(requested: readonly RequestedApproval[], names: ReadonlyMap<string, string>): void {
    const seat = this.#ports.stores.office.membership()?.seat;
    for (const one of requested) {
      if (one.from === seat && one.decision?.isApproved === true) this.#note(one, names);
    }
  }

  /**
   * Records an approval as evidence. An approval of an older review or of other documents is
   * ignored.
   */
  #note(one: RequestedApproval, names: ReadonlyMap<string, string>): void {
    const { stores, evidenceLog } = this.#ports;
    const { id, request, decision } = one;
    const key = this.#agreementOf(one);
    if (key === null || request === null || decision === null) return;
    const { review } = notesOf(stores, key, stores.agreements.details(key).documents);
    if (review?.number !== request.review || this.#whyNotReviewed(key, one) !== null) return;
    const isNoted = stores.evidence
      .list({ key, limit: MAX_ENTRIES })
      .some(({ fact }) => fact.kind === 'approved' && fact.office?.id === id);
    if (isNoted) return;
    const by = names.get(decision.by) ?? '';
    evidenceLog.append({
      ...this.#context(key),
      person: decision.person,
      fact: { kind: 'approved', review: review.number, office: { id, by, at: decision.at } },
    });
  }

  #context(key: AgreementKey) {
    const { connections, agreements } = this.#ports.stores;
    return {
      ref: null,
      connection: connectionEvidence(connections.get(key.connectionId)),
      agreement: { id: key.id, title: agreements.details(key).title },
    };
  }

  #agreementOf({ request }: RequestedApproval): AgreementKey | null {
    const { stores } = this.#ports;
    if (request === null) return null;
    const { service, agreementId: id } = request;
    const keys = connectionsTo(stores, service).map((connectionId) => ({ connectionId, id }));
    return keys.find((key) => isKnown(stores.agreements, key)) ?? null;
  }

  /**
   * Returns why this user cannot approve yet; null if the same documents were reviewed on this
   * computer.
   */
  #whyNotReviewed(key: AgreementKey, { request }: RequestedApproval): AppError | null {
    const { stores } = this.#ports;
    const { review, documents } = notesOf(stores, key, stores.agreements.details(key).documents);
    if (review?.isCurrent !== true) {
      return new AppError('conflict', 'Review the agreement on this computer first', {
        reason: 'not-reviewed',
      });
    }
    if (request !== null && areSameDocuments(documents, request.documents)) return null;
    const message =
      'The documents here differ from the documents that were reviewed on the other computer';
    return new AppError('conflict', message, { reason: 'documents-changed' });
  }
}

/** Maximum number of evidence entries to search; no agreement gets more before it is signed. */
const MAX_ENTRIES = 200;

const alreadyDecidedError = (): AppError =>
  new AppError('not-found', 'This request for approval was already decided, or was withdrawn');

const unreadableApprovalError = (): AppError =>
  new AppError(
    'storage',
    'This computer cannot read the request for approval, so nothing was decided',
    { reason: 'data-damaged' },
  );

const agreementOutOfReachError = (): AppError =>
  new AppError(
    'not-found',
    'No connection on this computer reaches the agreement, or this computer has not read it yet',
  );
