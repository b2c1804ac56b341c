import { randomBytes } from 'node:crypto';
import { bytes, type Answer, type Exchange } from '../server/http.ts';
import type { Store } from './store.ts';
import { SECOND } from '../server/stamps.ts';

export const PRESIGNED_PREFIX = '/storage';
/** Lifetime of a link (ms): long enough for one download, too short for storing the link. */
const LINK_LIFETIME_MS = 60 * SECOND;

interface PresignedLink {
  readonly agreementId: string;
  readonly attachmentId: string;
  readonly expiresAt: number;
}

/**
 * The file storage for attachment downloads: links that need no credential and expire after a
 * minute.
 */
export class PresignedLinks {
  readonly #links = new Map<string, PresignedLink>();
  readonly #store: Store;
  readonly #now: () => number;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Returns a path below the service's origin, valid for one minute. */
  issue(agreementId: string, attachmentId: string): string {
    const now = this.#now();
    for (const [key, link] of this.#links) {
      if (link.expiresAt + LINK_LIFETIME_MS < now) this.#links.delete(key);
    }
    const secret = randomBytes(24).toString('base64url');
    this.#links.set(secret, { agreementId, attachmentId, expiresAt: now + LINK_LIFETIME_MS });
    return `${PRESIGNED_PREFIX}/${secret}`;
  }

  answer(exchange: Exchange): Answer {
    if (exchange.method !== 'GET') return plainTextAnswer(405, 'Only GET.');
    if (hasCredential(exchange)) return plainTextAnswer(400, 'Only one auth mechanism allowed.');
    const link = this.#links.get(exchange.path.slice(PRESIGNED_PREFIX.length + 1));
    if (link === undefined || link.expiresAt <= this.#now())
      return plainTextAnswer(403, 'Request has expired.');
    const agreement = this.#store.agreements.get(link.agreementId);
    const attachment = agreement?.attachments.find(({ id }) => id === link.attachmentId);
    if (attachment === undefined) return plainTextAnswer(404, 'No such file.');
    return bytes(attachment.mimeType, this.#store.blob(attachment.blob));
  }
}

function hasCredential({ headers }: Exchange): boolean {
  return ['authorization', 'accesskey', 'accountid'].some((name) => headers[name] !== undefined);
}

function plainTextAnswer(status: number, sentence: string): Answer {
  return { ...bytes('text/plain; charset=utf-8', Buffer.from(sentence)), status };
}
