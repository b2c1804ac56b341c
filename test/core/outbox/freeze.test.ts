import { beforeEach, describe, expect, it } from 'vitest';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { fingerprintsOf, fingerprintMismatch } from '../../../electron/core/outbox/freeze.ts';
import type { OutgoingFiles } from '../../../electron/core/ports.ts';
import { DraftBodyV1, DraftBodyV2, type DraftContent } from '../../../shared/contract/drafts.ts';
import type { SendMark } from '../../../shared/contract/outbox.ts';
import { AgreementId, type ConnectionId, FileId } from '../../../shared/model/ids.ts';
import { remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  bodyV1,
  bodyV2,
  createWorld,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { bytesOf, sha256 } from '../../support/fakes/memory-ports.ts';
import { insertRow } from '../../support/outbox-rows.ts';

const hashing = { sha256, encoding: createEncoding() };
const file = (end: number) =>
  FileId.parse(`00000000-0000-4000-8000-${String(end).padStart(12, '0')}`);
const filesOf = (...texts: readonly [name: string, text: string][]): OutgoingFiles =>
  new Map(
    texts.map(([name, text], at) => [file(at + 1), { name, data: bytesOf(text), modifiedAt: at }]),
  );
const oneFile = filesOf(['lease.pdf', 'bytes']);

const v1 = (change: object = {}): DraftContent => ({
  api: 'v1',
  body: DraftBodyV1.parse({ ...bodyV1('Lease'), ...change }),
});
const v2 = (change: object = {}): DraftContent => ({
  api: 'v2',
  body: DraftBodyV2.parse({ ...bodyV2('Lease'), ...change }),
});
const all = (content: DraftContent, files = oneFile) => fingerprintsOf({ content, files }, hashing);
const of = (...what: Parameters<typeof all>) => all(...what)[0];

describe('two sends count as the same send', () => {
  const attached = (...fields: readonly object[]) => ({
    attachments: [{ type: 'BASE64', category: 'AGREEMENT', file: file(1), fields }],
  });
  const rent = { name: 'rent', value: '9000' };
  const [personV1] = bodyV1('Lease').parties;
  const { parties: partiesV2 } = bodyV2('Lease');

  it('with any expiry and tags, and their files in any order', () => {
    expect(of(v1({ expireOn: '20280101T120000Z', tags: { own: '1' } }))).toBe(of(v1()));
    const files = filesOf(['a.pdf', 'a'], ['b.pdf', 'b']);
    const turned = filesOf(['b.pdf', 'b'], ['a.pdf', 'a']);
    expect(of(v1(), turned)).toBe(of(v1(), files));
    expect(of(v1(attached()))).toBe(of(v1()));
  });

  it.for([
    ['a party of v1', (number: string) => v1({ parties: [{ ...personV1, personNumber: number }] })],
    ['a field of v1', (number: string) => v1(attached({ name: 'tenant', value: number }))],
    ['the title', (number: string) => v1({ title: `Lease of ${number}` })],
    [
      'a party of v2',
      (number: string) =>
        v2({
          parties: { ...partiesV2, privates: [{ ...partiesV2.privates[0], personNo: number }] },
        }),
    ],
    ['the text of v2', (number: string) => v2({ text: `Tenant: ${number}.` })],
  ] as const)(
    'with different personal numbers in %s, so that their hash reveals no number (DL-U4)',
    ([, numbered]) => {
      const [one, other] = [all(numbered('198507099805')), all(numbered('197001019802'))];
      expect(one[0]).toBe(other[0]);
      // The second key finds claims of earlier versions, whose key included the personal number.
      expect(one).toHaveLength(2);
      expect(one[1]).not.toBe(other[1]);
      expect(all(v1())).toHaveLength(1);
    },
  );

  it('only with the same title, parties, files, file names, values and API', () => {
    const { parties } = bodyV1('Lease');
    const prints = [
      of(v1()),
      of(v1({ title: 'Lease 2' })),
      of(v1({ parties: [...parties, ...parties] })),
      of(v1(), filesOf(['lease.pdf', 'other bytes'])),
      of(v1(), filesOf(['other.pdf', 'bytes'])),
      of(v1(), new Map()),
      of(v1(attached(rent))),
      of(v1(attached({ ...rent, value: '9001' }))),
      of(v2()),
      of(v2({ text: 'Less of it.' })),
      of(v2({ type: 'ATTACHED' })),
      of(v2({ dynamicPdf: { templateId: '7', fields: [] } })),
      of(v2({ dynamicPdf: { templateId: '7', fields: [rent] } })),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });
});

describe('an agreement of the service', () => {
  let world: World;
  let connectionId: ConnectionId;
  const id = AgreementId.parse('theirs');

  beforeEach(async () => {
    world = createWorld();
    connectionId = (await addConnection(startMemoryDesk(world))).id;
  });

  const insert = (change: Parameters<typeof insertRow>[2] = {}) => {
    const ref = insertRow(world, connectionId, change);
    return world.stores.outbox.get(ref);
  };
  const judge = (item: ReturnType<typeof insert>, change: object = {}) =>
    fingerprintMismatch(world.stores, item, remoteOf({ id: 'theirs', ...change }), id)?.message ??
    null;
  const elsewhere = 'The agreement with this ID belongs to another send';
  const otherTitle = 'The agreement with this ID has another title';

  it('may match a send by its title or its given name, even if the service tidied the name', () => {
    const mark: SendMark = { by: 'name', name: 'Lease Ä ·AB23CD' };
    const item = insert({ title: 'Lease Ä', mark });
    expect(judge(item, { title: 'Lease Ä' })).toBeNull();
    expect(judge(item, { title: mark.name })).toBeNull();
    expect(judge(item, { title: ` ${mark.name.normalize('NFD')} ` })).toBeNull();
    const spaced = insert({ title: ' Lease' });
    expect(judge(spaced, { title: 'Lease' })).toBeNull();
    expect(judge(insert({ title: 'Lease A\u030a' }), { title: 'Lease Å' })).toBeNull();
  });

  it('does not match a send with another title', () => {
    expect(judge(insert(), { title: 'Lease 2' })).toBe(otherTitle);
    expect(judge(insert({ mark: { by: 'nothing' } }), { title: 'lease' })).toBe(otherTitle);
  });

  it('does not match a send if it carries the mark of another send', () => {
    const item = insert();
    expect(judge(item, { tags: { 'desk.ref': item.ref } })).toBeNull();
    expect(judge(item, { tags: { other: 'x' } })).toBeNull();
    expect(judge(item, { tags: { 'desk.ref': insert().ref } })).toBe(elsewhere);
  });

  it('does not match a send if another send created it, but may match a signature', () => {
    const sent = { to: 'sent', cause: 'answer', remoteId: id } as const;
    const other = insert();
    world.stores.outbox.move(other.ref, ['queued'], sent, world.clock.now());
    expect(judge(insert())).toBe(elsewhere);
    expect(judge(world.stores.outbox.get(other.ref))).toBeNull();
    expect(judge(insert({ kind: 'sign', mark: { by: 'object' } }))).toBeNull();
  });
});
