import { expect, it } from 'vitest';
import { acceptMimeType } from '../../../electron/core/bytes/accept.ts';
import { bytesOf } from '../../support/fakes/memory-ports.ts';

const text = bytesOf('no PDF');

it('a file that the service calls a PDF is accepted only if it is a PDF', () => {
  const accept = acceptMimeType('application/pdf');
  expect(() => accept(text, text, text.length)).toThrow();
});

it.each(['image/png', null])('a file of type %s is accepted with any content', (mimeType) => {
  expect(acceptMimeType(mimeType)(text, text, text.length)).toBeUndefined();
});
