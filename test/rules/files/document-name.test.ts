import { expect, it } from 'vitest';
import { documentName } from '../../../shared/rules/files/document-name.ts';
import { foldName } from '../../../shared/rules/files/file-name.ts';

const none = new Set<string>();

it.each([
  ['Lease.pdf', 'application/pdf', 'Lease.pdf'],
  ['Lease', 'application/pdf', 'Lease.pdf'],
  ['Lease.PDF', 'application/pdf; charset=binary', 'Lease.pdf'],
  ['photo.jpeg', 'image/jpeg', 'photo.jpeg'],
  ['invoice.pdf.exe', 'application/pdf', 'invoice.pdf.exe.pdf'],
  ['run.exe', 'application/octet-stream', 'run.exe.bin'],
  ['run.exe', null, 'run.exe.bin'],
  ['../../etc/passwd', 'text/plain', '_.._etc_passwd.txt'],
  ['CON.txt', 'text/plain', '_CON.txt'],
  ['gnp.\u202efdp', 'image/png', 'gnp.fdp.png'],
  ['', 'application/pdf', 'attachment.pdf'],
  ['avtal åäö.pdf', 'application/pdf', 'avtal åäö.pdf'],
])('%s of type %s is saved as %s (T1-88)', (name, mimeType, wanted) => {
  expect(documentName({ name, mimeType }, none)).toBe(wanted);
});

it('a name already in use gets a number, in any case (T1-88)', () => {
  const taken = new Set(['LEASE.pdf', 'Lease (2).pdf'].map(foldName));
  expect(documentName({ name: 'Lease.pdf', mimeType: 'application/pdf' }, taken)).toBe(
    'Lease (3).pdf',
  );
});
