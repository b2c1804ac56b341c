import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type { OutboxRef } from '../../../shared/model/ids.ts';
import type { SendMark } from '../../../shared/contract/outbox.ts';
import { TAGS_MAX } from '../../../shared/rules/drafts/parts/tags.ts';
import { REFERENCE_FIELD } from '../../../shared/rules/forms/field-values.ts';
import { partyKey } from '../../../shared/rules/identifiers/party-key.ts';
import { tidiedName } from '../../../shared/rules/text/tidied-name.ts';
import type { Encoding, Sha256 } from '../ports.ts';

/** Letters and digits of a code; easily confused characters are excluded. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LENGTH = 6;
const BITS_PER_CHARACTER = 5;
const CODE = new RegExp(`^[${ALPHABET}]{${String(CODE_LENGTH)}}$`);
const WORDS = /[\p{L}\p{N}]+/gu;

/** Tag (v1) with the fingerprint of the content, to compare the agreement with later sends. */
export const KEY_TAG = 'desk.key';
/** Tag (v1) with the file of a batch row. An agreement with this tag has the key of its row. */
export const SOURCE_TAG = 'desk.src';

export interface Hashing {
  readonly sha256: Sha256;
  readonly encoding: Encoding;
}

export const hashText = ({ sha256, encoding }: Hashing, text: string): string =>
  sha256(encoding.utf8(text));

export interface MarkedContent {
  readonly content: DraftContent;
  readonly mark: SendMark;
}

/**
 * Marks content so that the send can be identified, as strongly as the API allows. v1 tags are
 * added when the request is encoded. On v2, the mark is a hidden field of the template. Without
 * such a field, it is a code at the end of the name, unless the user has turned that off.
 */
export function markContent(
  content: DraftContent,
  ref: OutboxRef,
  wish: { readonly inName: boolean; readonly hasOwnToken: boolean },
): MarkedContent {
  if (content.api === 'v1') return { content, mark: { by: 'tag' } };
  const hidden = withHiddenField(content, ref);
  if (hidden !== null) return hidden;
  if (wish.inName) {
    const name = `${content.body.name} ·${codeOf(ref)}`;
    return { content: { ...content, body: { ...content.body, name } }, mark: { by: 'name', name } };
  }
  return { content, mark: { by: wish.hasOwnToken ? 'token' : 'nothing' } };
}

/**
 * Adds tags to v1 content by which another computer recognises the agreement. The user's tags take
 * precedence, because the service accepts at most a hundred tags.
 */
export function withOwnTags(
  content: DraftContent,
  own: readonly (readonly [key: string, value: string])[],
): DraftContent {
  if (content.api === 'v2') return content;
  const room = Math.max(0, TAGS_MAX - Object.keys(content.body.tags ?? {}).length);
  const tags = { ...content.body.tags, ...Object.fromEntries(own.slice(0, room)) };
  return { ...content, body: { ...content.body, tags } };
}

/** Returns thirty bits of the last part of the reference as six characters. @internal */
export function codeOf(ref: OutboxRef): string {
  const bits = Number.parseInt(ref.slice(-12), 16);
  return Array.from({ length: CODE_LENGTH }, (_, index) =>
    ALPHABET.charAt(Math.floor(bits / 2 ** (index * BITS_PER_CHARACTER)) % ALPHABET.length),
  ).join('');
}

/** Returns the code of a send that is marked in its name. */
export const ownCode = ({ name }: Extract<SendMark, { readonly by: 'name' }>): string =>
  name.slice(-CODE_LENGTH);

/**
 * Returns all words of a name on the service that have the form of a code, regardless of how the
 * service tidied the text around them.
 */
export function codesIn(name: string): readonly string[] {
  return wordsIn(name).filter((word) => CODE.test(word));
}

export const endsInCode = (name: string, code: string): boolean => wordsIn(name).at(-1) === code;

const wordsIn = (name: string): readonly string[] =>
  tidiedName(name).toUpperCase().match(WORDS) ?? [];

function withHiddenField(
  content: Extract<DraftContent, { readonly api: 'v2' }>,
  ref: OutboxRef,
): MarkedContent | null {
  const { body } = content;
  const form = body.type === 'DYNAMIC_PDF' ? body.dynamicPdf : undefined;
  const fields = form?.fields ?? [];
  if (form === undefined || !fields.some(({ name }) => name === REFERENCE_FIELD)) return null;
  const filled = fields.map((field) =>
    field.name === REFERENCE_FIELD ? { ...field, value: ref } : field,
  );
  return {
    content: { ...content, body: { ...body, dynamicPdf: { ...form, fields: filled } } },
    mark: { by: 'field', templateId: form.templateId, field: REFERENCE_FIELD },
  };
}

/**
 * Returns a hash that is equal for two contents with the same parties; null on v1, whose list
 * contains no parties.
 */
export function partiesHash(content: DraftContent, hashing: Hashing): string | null {
  if (content.api === 'v1') return null;
  const { privates, companies } = content.body.parties;
  return hashOfParties(
    [
      ...privates.map(({ personNo }) => partyKey('person', personNo ?? '')),
      ...companies.map(({ orgNo }) => partyKey('company', orgNo ?? '')),
    ],
    hashing,
  );
}

export function hashOfParties(keys: readonly string[], hashing: Hashing): string {
  return hashText(hashing, JSON.stringify(keys.toSorted()));
}
