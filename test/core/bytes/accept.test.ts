import { expect, it } from 'vitest';
import { acceptAs } from '../../../electron/core/bytes/accept.ts';
import { bytesOf } from '../../support/fakes/memory-ports.ts';

const text = bytesOf('no PDF');

it('a file that the service calls a PDF must be one', () => {
  const accept = acceptAs('application/pdf');
  expect(() => accept(text, text, text.length)).toThrow();
});

it.each(['image/png', null])('a file of type %s may hold anything', (mimeType) => {
  expect(acceptAs(mimeType)(text, text, text.length)).toBeUndefined();
});
