import { expect, it } from 'vitest';
import { DraftBodyV1 } from '../../../shared/contract/drafts.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';

const party = (firstName: string, email: string, change: object = {}) => ({
  type: 'PRIVATE',
  firstName,
  lastName: 'Öberg',
  email,
  signingConfigurations: [{ type: 'CLICK' }],
  ...change,
});
const silent = { notifications: [] };
const both = {
  notifications: [
    { type: 'READY_TO_SIGN' },
    { type: 'READY_TO_SIGN', recipients: [{ medium: 'SMS', address: '+46701234567' }] },
  ],
};

it.each([
  ['only the owner of the account', [party('Åsa', 'asa@example.com', silent)], {}, ['']],
  ['only a party', [party('Åsa', 'asa@example.com')], silent, ['Åsa Öberg']],
  [
    'two parties of the same name and the owner',
    [party('Åsa', 'asa@example.com', both), party('Åsa', 'asa.o@example.com')],
    {},
    ['Åsa Öberg', 'Åsa Öberg', ''],
  ],
  [
    'the parties of the first signing order',
    [party('Åsa', 'asa@example.com'), party('Nils', 'nils@example.com', { signingOrder: 2 })],
    {},
    ['Åsa Öberg', ''],
  ],
])('a send of a draft names as many people as its check counted: %s', async (...given) => {
  const [, parties, change, names] = given;
  const desk = startMemoryDesk(createWorld());
  const { id: connectionId } = await addConnection(desk);
  const { id, revision, content } = await addDraftV1(desk);
  const body = DraftBodyV1.parse({ ...content.body, parties, ...change });
  await desk.api['drafts.save']({ id, revision, connectionId, content: { api: 'v1', body } });
  const { contacts, sentBefore } = await desk.api['drafts.check']({ id });
  expect(sentBefore).toEqual([]);
  const order = { id, connectionId, holdSeconds: 0, confirm: 1 };
  const { ref } = await desk.api['drafts.send'](order);
  const { people } = await desk.api['outbox.show']({ ref });
  expect(people).toEqual(names);
  expect(people).toHaveLength(contacts.people);
});
