import { describe, expect, it } from 'vitest';
import type { DraftFile } from '../../../shared/contract/drafts.ts';
import { ExportedDraft } from '../../../shared/contract/takeout.ts';
import { FileId } from '../../../shared/model/ids.ts';
import { parseDraftFile, formatDraftFile } from '../../../shared/rules/drafts/file.ts';
import { SharedDraft, SharedReminderRule } from '../../../shared/rules/office/items.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';

const ID = FileId.parse('0b8f5c0a-3c1d-4e2f-8a9b-1c2d3e4f5a6b');
const DRAFT = '5f0c1d2e-3a4b-4c5d-9e6f-7a8b9c0d1e2f';
const sha256 = 'a'.repeat(64);
const content = { api: 'v1' as const, body: bodyV1('Lease') };
const listed: DraftFile = {
  id: ID,
  name: 'Lease.pdf',
  mimeType: 'application/pdf',
  bytes: 1,
  sha256,
  pages: 1,
  fieldCount: 0,
  notices: [],
};

/**
 * These drafts must be rejected: attachments refer to files by ID, so a duplicate ID would break
 * every reader of the draft.
 */
describe('a draft with two files of one ID', () => {
  it('is not accepted from an office, and does not block other drafts (SR-P9)', () => {
    const shared = { content, service: null, sendingAt: null };
    expect(SharedDraft.safeParse({ ...shared, files: [listed] }).success).toBe(true);
    expect(SharedDraft.safeParse({ ...shared, files: [listed, listed] }).success).toBe(false);
  });

  it('is not read from a draft file, and the error names the key “files” (SR-P10)', () => {
    const file = { id: ID, name: 'Lease.pdf', sha256, modifiedAt: null, data: '' };
    expect(parseDraftFile(formatDraftFile({ content, files: [file] })).files).toHaveLength(1);
    const twice = formatDraftFile({ content, files: [file, { ...file, name: 'Other.pdf' }] });
    expect(() => parseDraftFile(twice)).toThrow('The draft cannot be read at files');
  });

  it('does not match the schema of an export, and nothing is imported (SR-P11)', () => {
    const file = { id: ID, name: 'Lease.pdf', file: 'files/lease.pdf', modifiedAt: null };
    const taken = {
      id: DRAFT,
      state: 'open',
      connection: null,
      content,
      createdAt: 1,
      updatedAt: 1,
    };
    expect(ExportedDraft.safeParse({ ...taken, files: [file] }).success).toBe(true);
    expect(ExportedDraft.safeParse({ ...taken, files: [file, file] }).success).toBe(false);
  });
});

it('an office rule with an invalid time zone is skipped, so that other rules are still read (SR-P12)', () => {
  const when = { firstAfterDays: 7, everyDays: 7, most: 3, country: 'SE' };
  const rule = (zone: string) => ({
    name: 'Weekly',
    isOn: true,
    createdAt: 1,
    whom: { ownOnly: false, services: null },
    when: { ...when, hours: { zone, from: '08:00', to: '17:00' } },
  });
  expect(SharedReminderRule.safeParse(rule('Europe/Stockholm')).success).toBe(true);
  expect(SharedReminderRule.safeParse(rule('Nowhere/At-all')).success).toBe(false);
});
