import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type { AgreementId } from '../../../shared/model/ids.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import { titleOf } from '../../../shared/rules/drafts/check.ts';
import type { Json } from '../../../shared/rules/evidence/canonical-json.ts';
import { withoutNumbers } from '../../../shared/rules/people/personal-numbers.ts';
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

/** What a person wrote, before anything is merged into a file. */
export interface Written {
  readonly content: DraftContent;
  readonly files: OutgoingFiles;
  /** What goes into the fields of its PDF, where the content does not hold it. */
  readonly values?: Json;
}

/** What is sent, and for whom, before it is frozen. */
export interface Sending extends Pick<
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
  /** See `fingerprintsOf`. */
  readonly fingerprints: readonly [string, ...string[]];
  /** v2: the name ends in a code by which it is found again. */
  readonly markInName: boolean;
}

/**
 * Makes the row of a send: the exact bytes, which no later edit of anything can change. Of files
 * that go up first only the tokens are left open.
 */
export function freeze(
  service: AgreementService,
  sending: Sending,
  hashing: Hashing,
): NewOutboxItem {
  const { content, files, fingerprints, markInName, ref, people, ...row } = sending;
  const uploads = service.uploadFirst?.filesOf(content, files) ?? [];
  const wish = { inName: markInName, hasOwnToken: uploads.length > 0 };
  const [fingerprint, ...former] = fingerprints;
  // A row of a batch has the key of its row.
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
 * Equal for two sends of the same: title, parties, documents and the values in them; not when they
 * were made, their tags, or the mark by which each is found again. A PDF counts as it was before it was
 * filled: fonts and the version of the program change its bytes. Personal numbers do not count: a user of an
 * office, or a reader of an agreement's tags, could compute the hash for each possible number and compare.
 *
 * Then what earlier versions took for it, with the numbers, where there are any.
 */
export function fingerprintsOf(
  { content, files, values: merged }: Written,
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
  const shown = JSON.stringify(withoutNumbers(same));
  const fingerprint = hashText(hashing, shown);
  return shown === text ? [fingerprint] : [fingerprint, hashText(hashing, text)];
}

/** The name under which the service knows it. */
export const nameOnService = ({ mark, title }: Pick<StoredItem, 'mark' | 'title'>): string =>
  mark.by === 'name' ? mark.name : title;

/** Whether a name on the service may be what is left of one that was too long for it. */
export const isCutFrom = (name: string, theirs: string): boolean =>
  theirs !== '' && theirs !== name && name.startsWith(theirs);

/** Why an agreement cannot be what became of this send; null when it can. */
export function mismatch(
  stores: Pick<Stores, 'outbox'>,
  item: StoredItem,
  remote: RemoteAgreement,
  id: AgreementId,
): string | null {
  const bound = stores.outbox.boundTo(item.connectionId, id);
  if (item.kind === 'create' && bound !== null && bound.ref !== item.ref) {
    return 'That agreement belongs to another send';
  }
  const theirs = remote.tags?.['desk.ref'];
  if (theirs !== undefined && theirs !== item.ref) return 'That agreement belongs to another send';
  const theirName = tidiedName(remote.title);
  const names = [nameOnService(item), item.title].map(tidiedName);
  const { mark } = item;
  const isCoded = mark.by === 'name' && endsInCode(remote.title, ownCode(mark));
  // What a service tidies in a title, or cuts from its end, does not make it another one.
  const isNamed = isCoded || names.some((name) => name === theirName || isCutFrom(name, theirName));
  if (!isNamed) return 'That agreement has another title';
  return null;
}
