import { describe, expect, it } from 'vitest';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { codeOf, hashText, markContent, partiesHash } from '../../../electron/core/outbox/marks.ts';
import { DraftBodyV2, type DraftContent } from '../../../shared/contract/drafts.ts';
import { OutboxRef } from '../../../shared/model/ids.ts';
import { REFERENCE_FIELD } from '../../../shared/rules/forms/field-values.ts';
import { bodyV1, bodyV2 } from '../../support/fakes/memory-desk.ts';
import { sha256 } from '../../support/fakes/memory-ports.ts';

const ref = OutboxRef.parse('12345678-1234-4234-9234-000000000001');
const hashing = { sha256, encoding: createEncoding() };
const inName = { inName: true, hasOwnToken: false };
const quiet = { inName: false, hasOwnToken: false };
const v2 = (change: object = {}): DraftContent => ({
  api: 'v2',
  body: DraftBodyV2.parse({ ...bodyV2('Lease'), ...change }),
});

const formWith = (...fields: readonly { name: string; value: string }[]) =>
  v2({ type: 'DYNAMIC_PDF', text: undefined, dynamicPdf: { templateId: '7', fields } });

describe('the code of a reference', () => {
  it.each([
    ['000000000000', '222222'],
    ['000000000001', '322222'],
    ['00000000001f', 'Z22222'],
    ['000000000020', '232222'],
    ['00003fffffff', 'ZZZZZZ'],
    ['abcdef012345', '7UA4JR'],
  ])('that ends in %s is %s, from thirty bits, five for each character', (end, code) => {
    expect(codeOf(OutboxRef.parse(`12345678-1234-4234-9234-${end}`))).toBe(code);
  });
});

describe('a mark of a sent agreement', () => {
  it('on v1 is a tag, and does not change the content', () => {
    const content = { api: 'v1', body: bodyV1('Lease') } as const;
    expect(markContent(content, ref, inName)).toEqual({ content, mark: { by: 'tag' } });
  });

  it('on v2 is a code after the name', () => {
    const { content, mark } = markContent(v2(), ref, inName);
    const name = 'Lease ·322222';
    expect(mark).toEqual({ by: 'name', name });
    expect(content).toEqual(v2({ name }));
  });

  it('on v2 is its files, or missing, if the person wants no code', () => {
    const unmarked = markContent(v2(), ref, quiet);
    expect(unmarked).toEqual({ content: v2(), mark: { by: 'nothing' } });
    const token = markContent(v2(), ref, { inName: false, hasOwnToken: true });
    expect(token).toEqual({ content: v2(), mark: { by: 'token' } });
  });

  it('is in the hidden field of its form if there is one, and the other fields stay', () => {
    const other = { name: 'rent', value: '9000' };
    const form = formWith({ name: REFERENCE_FIELD, value: '' }, other);
    for (const wish of [inName, quiet]) {
      const { content, mark } = markContent(form, ref, wish);
      expect(mark).toEqual({ by: 'field', templateId: '7', field: REFERENCE_FIELD });
      expect(content).toEqual(formWith({ name: REFERENCE_FIELD, value: ref }, other));
    }
  });

  it('is in the name if its form has no hidden field, or is not sent', () => {
    const plain = formWith({ name: 'rent', value: '9000' });
    expect(markContent(plain, ref, inName).mark.by).toBe('name');
    const form = { templateId: '7', fields: [{ name: REFERENCE_FIELD, value: '' }] };
    const text = v2({ dynamicPdf: form });
    expect(markContent(text, ref, inName).mark.by).toBe('name');
    expect(markContent(formWith(), ref, quiet).mark.by).toBe('nothing');
  });
});

describe('the parties of an agreement', () => {
  const hash = (parties: object) => partiesHash(v2({ parties }), hashing);
  const asa = { personNo: '189001019802', firstName: 'Å', lastName: 'Ö', email: 'a@example.com' };
  const bo = { orgNo: '556036-0793', firstName: 'Bo', lastName: 'Ek', email: 'bo@example.com' };
  const both = hash({ privates: [asa], companies: [bo] });

  it('are the same in any order and with any spelling of their numbers', () => {
    const other = { ...bo, orgNo: '5560360793', firstName: 'Eva' };
    const written = { ...asa, personNo: '900101-9802' };
    expect(hash({ privates: [written], companies: [other] })).toBe(both);
    const second = { ...asa, personNo: '198507099805' };
    const inOrder = hash({ privates: [asa, second], companies: [] });
    expect(hash({ privates: [second, asa], companies: [] })).toBe(inOrder);
  });

  it('differ with an extra or missing person or company, or a company instead of a person', () => {
    const person = { ...asa, personNo: '5560360793' };
    const hashes = [
      both,
      hash({ privates: [asa], companies: [] }),
      hash({ privates: [], companies: [bo] }),
      hash({ privates: [asa, person], companies: [] }),
      hash({ privates: [{ ...asa, personNo: '' }], companies: [] }),
      hash({ privates: [], companies: [] }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('can be parties that have no number yet', () => {
    const { personNo: _person, ...nobody } = asa;
    const { orgNo: _company, ...none } = bo;
    const blank = { privates: [{ ...asa, personNo: '' }], companies: [{ ...bo, orgNo: '' }] };
    expect(hash({ privates: [nobody], companies: [none] })).toBe(hash(blank));
  });

  it('are missing from all lists of v1', () => {
    expect(partiesHash({ api: 'v1', body: bodyV1('Lease') }, hashing)).toBeNull();
  });
});

it('a text is hashed as its bytes in UTF-8', () => {
  expect(hashText(hashing, 'Åsa')).toBe(sha256(new TextEncoder().encode('Åsa')));
});
