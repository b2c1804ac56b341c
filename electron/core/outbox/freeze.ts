import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type { AgreementId } from '../../../shared/model/ids.ts';
import type { ErrorReason } from '../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import { titleOf } from '../../../shared/rules/drafts/check.ts';
import type { Json } from '../../../shared/rules/evidence/canonical-json.ts';
import { withMaskedNumbers } from '../../../shared/rules/people/personal-numbers.ts';
import { tidiedName } from '../../../shared/rules/text/tidied-name.ts';
import {
  endsInCode,
  type Hashing,
  hashText,
  KEY_TAG,
  markContent,
  ownCode,
  partiesHash,
  withOwnTags,
} from './marks.ts';
import type { NewOutboxItem, NewRow, StoredItem } from './ports.ts';
import type { AgreementService, OutgoingFiles, Stores } from '../ports.ts';

/** Content written by the user, before anything is merged into a file. */
export interface SendContent {
  readonly content: DraftContent;
  readonly files: OutgoingFiles;
  /** Values for the fields of the PDF, if they are not in the content. */
  readonly values?: Json;
}

/** Content and recipients of a send before it is frozen. */
export interface UnfrozenSend extends Pick<
  NewRow,
  | 'ref'
  | 'connectionId'
  | 'nextAt'
  | 'people'
  | 'rowNo'
  | 'draftId'
  | 'isScheduled'
  | 'supersedes'
  | 'once'
  | 'formerFingerprints'
> {
  readonly content: DraftContent;
  readonly files: OutgoingFiles;
  readonly fingerprints: readonly [string, ...string[]];
  /** Whether the name ends in a code that identifies the send (v2 only). */
  readonly markInName: boolean;
}

/**
 * Creates the outbox row of a send with the exact bytes of its request, so that later edits do not
 * change it. Only the tokens of files that are uploaded first are added later.
 */
export function freeze(
  service: AgreementService,
  sending: UnfrozenSend,
  hashing: Hashing,
): NewOutboxItem {
  const { content, files, fingerprints, markInName, ref, people, ...row } = sending;
  const uploads = service.uploadFirst?.filesOf(content, files) ?? [];
  const wish = { inName: markInName, hasOwnToken: uploads.length > 0 };
  const [fingerprint, ...former] = fingerprints;
  // A send of a batch gets its key from its row in the spreadsheet.
  const keyed = row.draftId === null ? content : withOwnTags(content, [[KEY_TAG, fingerprint]]);
  const marked = markContent(keyed, ref, wish);
  const body = service.encodeCreate(marked.content, files, ref);
  return {
    item: {
      ...row,
      ref,
      people: [...people],
      mark: marked.mark,
      kind: 'create',
      title: titleOf(content),
      parties: partiesHash(content, hashing),
      fingerprint,
      formerFingerprints: [...former, ...(row.formerFingerprints ?? [])],
    },
    request: { body, target: null, signedAt: null },
    uploads,
  };
}

/**
 * Returns fingerprints that are equal for two sends with the same title, parties, documents and
 * values. The time of creation, tags and marks are not included. A PDF is hashed as it was before
 * its fields were filled, because fonts and the program version change its bytes. Personal numbers
 * are not included: a user of an office, or a reader of an agreement's tags, could compute the hash
 * for each possible number and compare.
 *
 * The first is the current fingerprint. The second, if any, is the fingerprint of earlier versions
 * of the program, which includes the personal numbers.
 */
export function fingerprintsOf(
  { content, files, values: merged }: SendContent,
  hashing: Hashing,
): readonly [string, ...string[]] {
  const documents = [...files.values()].map(({ name, data }) => [name, hashing.sha256(data)]);
  const { parties, attachments = [] } = content.body;
  const values = attachments.flatMap(({ fields = [] }) => (fields.length > 0 ? [fields] : []));
  const words =
    content.api === 'v2'
      ? [content.body.type, content.body.text ?? null, content.body.dynamicPdf ?? null]
      : [];
  const same: Json[] = [content.api, titleOf(content), parties, documents.toSorted()];
  same.push(values, words, ...(merged === undefined ? [] : [merged]));
  const text = JSON.stringify(same);
  const shown = JSON.stringify(withMaskedNumbers(same));
  const fingerprint = hashText(hashing, shown);
  return shown === text ? [fingerprint] : [fingerprint, hashText(hashing, text)];
}

/** Returns the name of the agreement on the service. */
export const nameOnService = ({ mark, title }: Pick<StoredItem, 'mark' | 'title'>): string =>
  mark.by === 'name' ? mark.name : title;

/** Whether the name on the service (`theirs`) may be `name`, truncated by the service. */
export const isTruncationOf = (theirs: string, name: string): boolean =>
  theirs !== '' && theirs !== name && name.startsWith(theirs);

/** Reason why an agreement cannot be the result of a send. */
interface FingerprintMismatch {
  readonly reason: Extract<ErrorReason, 'sent-id-taken' | 'sent-id-title' | 'sent-id-signature'>;
  readonly message: string;
}

const takenMismatch: FingerprintMismatch = {
  reason: 'sent-id-taken',
  message: 'The agreement with this ID belongs to another send',
};
const titleMismatch: FingerprintMismatch = {
  reason: 'sent-id-title',
  message: 'The agreement with this ID has another title',
};
const signatureMismatch: FingerprintMismatch = {
  reason: 'sent-id-signature',
  message: 'The signature was for another agreement than the one with this ID',
};

/** Returns why an agreement cannot be the result of this send; null if it can. */
export function fingerprintMismatch(
  stores: Pick<Stores, 'outbox'>,
  item: StoredItem,
  remote: RemoteAgreement,
  id: AgreementId,
): FingerprintMismatch | null {
  // The tag of an agreement names the send that created it, not the signature.
  if (item.kind === 'sign' && item.remoteId !== null) {
    return item.remoteId === id ? null : signatureMismatch;
  }
  const bound = stores.outbox.boundTo(item.connectionId, id);
  if (item.kind === 'create' && bound !== null && bound.ref !== item.ref) {
    return takenMismatch;
  }
  const theirs = remote.tags?.['desk.ref'];
  if (theirs !== undefined && theirs !== item.ref) return takenMismatch;
  const theirName = tidiedName(remote.title);
  const names = [nameOnService(item), item.title].map(tidiedName);
  const { mark } = item;
  const isCoded = mark.by === 'name' && endsInCode(remote.title, ownCode(mark));
  // The service may tidy or truncate a title, so a similar title also matches.
  const isNamed =
    isCoded || names.some((name) => name === theirName || isTruncationOf(theirName, name));
  return isNamed ? null : titleMismatch;
}
