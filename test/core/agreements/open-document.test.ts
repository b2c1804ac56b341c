import { beforeEach, expect, it } from 'vitest';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { PDF_TEXT } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { textOf } from '../../support/fakes/memory-ports.ts';

let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  desk = startMemoryDesk();
  connectionId = (await addConnection(desk)).id;
  desk.services.v1.documents.set('1', PDF_TEXT);
  desk.services.v1.documents.set('2', '<html>an error page</html>');
});

const open = (documentId: string, id = connectionId) => {
  const key = { connectionId: id, id: AgreementId.parse('a') };
  return desk.api['actions.openDocument']({ key, documentId });
};

it('an attachment is downloaded for the window, and saved nowhere', async () => {
  const { out } = await open('1');
  expect(textOf(desk.bytes.take(out))).toBe(PDF_TEXT);
  expect([...desk.files.saved.keys()]).toEqual([]);
});

it('an attachment that is not a PDF is not shown', async () => {
  await expect(open('2')).rejects.toMatchObject({
    failure: { code: 'service', reason: 'not-a-pdf' },
  });
});

it('API v2 has no attachments to show', async () => {
  const legacy = await addConnection(desk, 'v2');
  await expect(open('1', legacy.id)).rejects.toMatchObject({ failure: { code: 'invalid' } });
});
