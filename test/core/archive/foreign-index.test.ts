import { expect, it } from 'vitest';
import { readIndex, renderIndex } from '../../../electron/core/archive/index-files.ts';

const FOREIGN =
  '\uFEFF"file","title"\r\n' +
  `"=cmd|' /C calc'!A0.pdf","=HYPERLINK(""http://example.com"")"\r\n` +
  '"a.pdf","Rent;=1+1"\r\n';

it('a row that another program added to an index is not written as a formula to the next index (SR-I9)', () => {
  const written = renderIndex([], ['file', 'title'], readIndex(FOREIGN));
  expect(written).toBe(
    '\uFEFF"file","title"\r\n' +
      `"'=cmd|' /C calc'!A0.pdf","'=HYPERLINK(""http://example.com"")"\r\n` +
      `"a.pdf","Rent;'=1+1"\r\n`,
  );
  expect(renderIndex([], ['file', 'title'], readIndex(written))).toBe(written);
});
