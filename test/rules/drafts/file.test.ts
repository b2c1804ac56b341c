import { describe, expect, it } from 'vitest';
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import { FileId } from '../../../shared/model/ids.ts';
import { parseDraftFile, formatDraftFile } from '../../../shared/rules/drafts/file.ts';

const content: DraftContent = {
  api: 'v2',
  body: {
    name: 'Lease',
    type: 'ATTACHED',
    notificationMessages: null,
    parties: { privates: [], companies: [] },
    attachments: [],
  },
};
const file = {
  id: FileId.parse('0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a01'),
  name: 'å.pdf',
  sha256: 'a'.repeat(64),
  modifiedAt: 1,
  data: 'JVBERg==',
};
const text = formatDraftFile({ content, files: [file] });
const changed = (change: object): string => JSON.stringify({ ...JSON.parse(text), ...change });
const refused = (reason: string) =>
  expect.objectContaining({ failure: expect.objectContaining({ reason }) });

describe('a draft file', () => {
  it('is read back byte for byte (T2-33)', () => {
    const read = parseDraftFile(text);
    expect(read).toEqual({ content, files: [file] });
    expect(formatDraftFile(read)).toBe(text);
  });

  it.each([
    ['no JSON', '{'],
    ['another JSON', '{"a":1}'],
    ['an unknown key next to the body', changed({ secret: 1 })],
    ['an unknown key in the body', changed({ body: { ...content.body, later: true } })],
    ['a body of the other API', changed({ api: 'v1' })],
    ['a broken file', changed({ files: [{ ...file, sha256: 'x' }] })],
  ])('is rejected when it holds %s, since that would be lost', (_, broken) => {
    expect(() => parseDraftFile(broken)).toThrowError(refused('not-a-draft'));
  });

  it('of a newer version is rejected with that reason', () => {
    const newer = changed({ version: 2 });
    const failure = expect.objectContaining({ code: 'newer-data' });
    expect(() => parseDraftFile(newer)).toThrowError(expect.objectContaining({ failure }));
  });
});
