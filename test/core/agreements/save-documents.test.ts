import { beforeEach, expect, it } from 'vitest';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { PDF_TEXT, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { bytesOf, textOf } from '../../support/fakes/memory-ports.ts';

let desk: MemoryDesk;
let connectionId: ConnectionId;

const document = (id: string, name: string, mimeType: string | null) => ({
  id,
  name,
  mimeType,
  title: null,
  category: 'agreement' as const,
  bytes: null,
});

beforeEach(async () => {
  desk = startMemoryDesk();
  connectionId = (await addConnection(desk)).id;
  const documents = [
    document('1', '../../etc/Lease.pdf', 'application/pdf'),
    document('2', 'prices.exe', 'text/csv'),
    document('3', 'Lease.pdf', 'application/pdf'),
  ];
  desk.services.v1.agreements.set('a', remoteOf({ id: 'a', documents }));
  desk.services.v1.documents.set('1', PDF_TEXT);
  desk.services.v1.documents.set('2', 'a;b');
  desk.services.v1.documents.set('3', PDF_TEXT);
});

const save = (change: object = {}) => {
  const key = { connectionId, id: AgreementId.parse('a') };
  return desk.api['actions.saveDocuments']({ key, folder: '/out', ...change });
};

it('attachments get safe names with an extension that fits their type (T1-88)', async () => {
  const { files, failed } = await save();
  expect(failed).toEqual([]);
  expect(files.map(({ name }) => name)).toEqual([
    '_.._etc_Lease.pdf',
    'prices.exe.csv',
    'Lease.pdf',
  ]);
  expect([...desk.files.saved.keys()].every((path) => /^\/out\/[^/]+$/.test(path))).toBe(true);
});

it('one attachment is saved next to existing files (T1-87)', async () => {
  desk.files.saved.set('/out/Lease.pdf', bytesOf('older'));
  const { files } = await save({ documentId: '3' });
  expect(files.map(({ name }) => name)).toEqual(['Lease (2).pdf']);
  expect(textOf(desk.files.saved.get('/out/Lease.pdf') ?? bytesOf(''))).toBe('older');
});

it('a failed attachment is reported, and the others are saved (T1-87)', async () => {
  desk.services.v1.documents.set('1', 'an error page, not a PDF');
  desk.services.v1.documents.set('2', new AppError('forbidden', 'The link has expired'));
  const { files, failed } = await save();
  expect(files.map(({ documentId }) => documentId)).toEqual(['3']);
  expect(failed.map(({ documentId, failure }) => [documentId, failure.code])).toEqual([
    ['1', 'service'],
    ['2', 'forbidden'],
  ]);
});

it('saving attachments stops immediately when the folder cannot be written to', async () => {
  desk.files.breakWith(new AppError('storage', 'Full', { reason: 'disk-full' }));
  await expect(save()).rejects.toMatchObject({ failure: { reason: 'disk-full' } });
});
