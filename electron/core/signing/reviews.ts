import type { Capabilities } from '../../../shared/contract/connections.ts';
import type { EvidenceDocument } from '../../../shared/contract/evidence.ts';
import {
  type AgreementKey,
  type ApiName,
  type IdentityId,
  ReviewId,
} from '../../../shared/model/ids.ts';
import type { ReviewDocument, OpenedReview } from '../../../shared/contract/signing.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AgreementDocument } from '../../../shared/model/agreement.ts';
import { connectionEvidence, personEvidence } from '../evidence/about.ts';
import type { EvidenceLog } from '../evidence/log.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { Progress } from '../job-queue.ts';
import type { AgreementService, Chance, Clock, Sha256, Stores } from '../ports.ts';
import { keepCopy } from '../services/fresh-copy.ts';
import type { Services } from '../services/services.ts';
import { fetchWholeDocument } from '../services/whole-document.ts';
import { notesOf } from './notes.ts';
import { isBySamePerson } from './same-person.ts';

/** Maximum number of open reviews; the oldest is dropped first. */
const MAX_OPEN_REVIEWS = 50;

interface ReviewPorts {
  readonly stores: Stores;
  readonly services: Services;
  readonly evidenceLog: EvidenceLog;
  readonly bytes: ByteExchange;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly capabilities: readonly Capabilities[];
}

interface OpenReview {
  readonly key: AgreementKey;
  readonly documents: readonly EvidenceDocument[];
}

/**
 * Review before signing: the documents come from the service and are hashed while downloading; when
 * the user marks them as reviewed, exactly these hashes are recorded.
 */
export class SigningReviews {
  readonly #ports: ReviewPorts;
  readonly #open = new Map<ReviewId, OpenReview>();

  constructor(ports: ReviewPorts) {
    this.#ports = ports;
  }

  /**
   * Opens a review and downloads the documents. Throws 'conflict' with 'not-readable' if the API
   * provides no documents before the agreement has ended, and 'service' if it listed none: unread
   * documents cannot be reviewed.
   */
  async open(
    key: AgreementKey,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<OpenedReview> {
    const { stores, services, chance } = this.#ports;
    const documents = await services.use(key.connectionId, async (service) => {
      requireReadable(service);
      const remote = await service.read(key.id, signal);
      keepCopy(this.#ports, key.connectionId, remote);
      const all = stores.agreements.details(key).documents ?? [];
      // API v1, "Attachments": an agreement has at least one, so an empty list is invalid.
      if (all.length === 0) {
        throw new AppError('service', 'The service listed no documents for this agreement');
      }
      const fetched: ReviewDocument[] = [];
      for (const [index, document] of all.entries()) {
        fetched.push(await this.#fetch(service, key, document, signal));
        report({ done: index + 1, total: all.length });
      }
      return fetched;
    });
    const reviewId = ReviewId.parse(chance.uuid());
    this.#remember(reviewId, { key, documents: documents.map(evidenceOf) });
    return { reviewId, documents };
  }

  /**
   * Marks the documents as reviewed and returns the number of the evidence entry. `elsewhere` has
   * the IDs of documents that the person read outside the program. Throws 'not-found' if the review
   * is no longer open, and 'invalid' for the ID of another document.
   */
  mark(
    key: AgreementKey,
    reviewId: ReviewId | undefined,
    identityId: IdentityId,
    elsewhere: readonly string[],
  ): number {
    const { stores, evidenceLog, capabilities } = this.#ports;
    const context = this.#context(key, identityId);
    if (reviewId === undefined) {
      // The user may state a review outside of the program only if the program cannot open the
      // documents.
      if (isReadable(capabilities, stores.connections.get(key.connectionId).api)) {
        const message = 'The documents can be opened here. Open and review them first';
        throw new AppError('conflict', message, { reason: 'not-reviewed' });
      }
      return evidenceLog.append({
        ...context,
        fact: { kind: 'reviewed', how: 'elsewhere', documents: [] },
      });
    }
    const open = this.#open.get(reviewId);
    if (open?.key.id !== key.id || open.key.connectionId !== key.connectionId) {
      throw new AppError('not-found', 'This review is no longer open. Open the documents again');
    }
    if (elsewhere.some((wanted) => open.documents.every(({ id }) => id !== wanted))) {
      throw new AppError('invalid', 'A document that was read elsewhere is not in this review');
    }
    this.#open.delete(reviewId);
    const documents = [...open.documents];
    if (elsewhere.length === 0) {
      return evidenceLog.append({ ...context, fact: { kind: 'reviewed', how: 'here', documents } });
    }
    return evidenceLog.append({
      ...context,
      fact: { kind: 'reviewed', how: 'elsewhere', documents, elsewhere: [...elsewhere] },
    });
  }

  /**
   * Approves a review. Throws 'conflict' with 'not-reviewed' or 'same-person', and 'forbidden' if
   * only another computer may approve.
   */
  approve(key: AgreementKey, identityId: IdentityId): number {
    const { stores, evidenceLog } = this.#ports;
    const { fourEyes, fourEyesElsewhere } = stores.settings.read();
    if (fourEyes && fourEyesElsewhere) {
      throw new AppError(
        'forbidden',
        'The review must be approved on another computer in the office',
      );
    }
    const { documents } = stores.agreements.details(key);
    const { review } = notesOf(stores, key, documents);
    if (review?.isCurrent !== true) {
      throw new AppError(
        'conflict',
        'The agreement has no review to approve. Someone must review it first',
        { reason: 'not-reviewed' },
      );
    }
    if (isBySamePerson(stores.identities, review, identityId)) {
      const message = 'The person who reviewed the agreement cannot approve it too';
      throw new AppError('conflict', message, { reason: 'same-person' });
    }
    const fact = { kind: 'approved', review: review.number } as const;
    return evidenceLog.append({ ...this.#context(key, identityId), fact });
  }

  /**
   * Downloads the documents again: a signature is only given for the bytes that were read. Throws
   * 'conflict' with 'documents-changed'.
   */
  async proveUnchanged(
    service: AgreementService,
    key: AgreementKey,
    reviewed: readonly EvidenceDocument[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const { id, name, sha256 } of reviewed) {
      if (id === null) continue;
      const data = await fetchWholeDocument(service, key.id, id, signal);
      if (this.#ports.sha256(data) === sha256) continue;
      const message = `The document ${name} has changed since the review. Review the agreement again`;
      throw new AppError('conflict', message, { reason: 'documents-changed' });
    }
  }

  #context(key: AgreementKey, identityId: IdentityId) {
    const { connections, identities, agreements } = this.#ports.stores;
    return {
      ref: null,
      connection: connectionEvidence(connections.get(key.connectionId)),
      agreement: { id: key.id, title: agreements.details(key).title },
      person: personEvidence(identities.get(identityId)),
    };
  }

  async #fetch(
    service: AgreementService,
    key: AgreementKey,
    document: AgreementDocument,
    signal: AbortSignal,
  ): Promise<ReviewDocument> {
    const { id, name, title, category, mimeType } = document;
    if (id === null) {
      throw new AppError(
        'service',
        'The service gave no ID for the attachment, so it cannot be downloaded',
      );
    }
    const data = await fetchWholeDocument(service, key.id, id, signal);
    const { bytes, sha256 } = this.#ports;
    return {
      id,
      name,
      title,
      category,
      mimeType,
      bytes: data.length,
      sha256: sha256(data),
      bytesId: bytes.put(data),
    };
  }

  #remember(reviewId: ReviewId, open: OpenReview): void {
    this.#open.set(reviewId, open);
    for (const old of this.#open.keys()) {
      if (this.#open.size <= MAX_OPEN_REVIEWS) return;
      this.#open.delete(old);
    }
  }
}

/** Whether an API provides the documents of an agreement before its end. */
export function isReadable(capabilities: readonly Capabilities[], api: ApiName): boolean {
  return capabilities.some((one) => one.api === api && one.attachmentDownload);
}

function requireReadable({ capabilities }: AgreementService): void {
  if (capabilities.attachmentDownload) return;
  const message = 'This API does not provide the documents before the agreement is concluded';
  throw new AppError('conflict', message, { reason: 'not-readable' });
}

function evidenceOf({ id, name, bytes, sha256 }: ReviewDocument): EvidenceDocument {
  return { id, name, bytes, sha256 };
}
