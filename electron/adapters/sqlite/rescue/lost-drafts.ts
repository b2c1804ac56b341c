import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import { DraftContent } from '../../../../shared/contract/drafts.ts';
import { startContent } from '../../../../shared/rules/drafts/start.ts';
import { formatV1Time } from '../../../../shared/rules/time/wire-time.ts';
import { FileId } from '../../../../shared/model/ids.ts';
import { hasColumn } from './had-columns.ts';

const OwnerRow = z.object({ id: z.string() });
const File = z.object({ id: FileId, name: z.string(), modifiedAt: z.number().nullable() });
type File = z.infer<typeof File>;

/**
 * Restores drafts whose row is lost: with the content of their last step if it can be read,
 * otherwise as new drafts with their files. Returns the number of restored drafts.
 */
export function keepFilesOfLostDrafts(raw: Sqlite.Database, now: number): number {
  const hasSteps = hasColumn(raw, 'draft_step', 'content');
  const owners = z.array(OwnerRow).parse(
    raw
      .prepare(
        `SELECT draft_id AS id FROM draft_file WHERE draft_id NOT IN (SELECT id FROM draft)
         ${hasSteps ? 'UNION SELECT draft_id FROM draft_step WHERE draft_id NOT IN (SELECT id FROM draft)' : ''}`,
      )
      .all(),
  );
  const insert = raw.prepare(
    `INSERT INTO draft (id, connection_id, content, revision, created_at, updated_at)
     VALUES (?, NULL, ?, 1, ?, ?)`,
  );
  for (const { id } of owners) {
    const content = (hasSteps ? lastStep(raw, id) : null) ?? contentOf(filesOf(raw, id), now);
    insert.run(id, JSON.stringify(content), now, now);
    // Each step builds on the previous step, so no step fits the restored content.
    if (hasSteps) raw.prepare('DELETE FROM draft_step WHERE draft_id = ?').run(id);
  }
  return owners.length;
}

function lastStep(raw: Sqlite.Database, id: string): DraftContent | null {
  const text = raw
    .prepare('SELECT content FROM draft_step WHERE draft_id = ? ORDER BY number DESC LIMIT 1')
    .pluck()
    .get(id);
  if (typeof text !== 'string') return null;
  try {
    return DraftContent.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function filesOf(raw: Sqlite.Database, id: string): readonly File[] {
  return z.array(File).parse(
    raw
      .prepare(
        `SELECT id, name, modified_at AS modifiedAt FROM draft_file WHERE draft_id = ?
         ORDER BY rowid`,
      )
      .all(id),
  );
}

function contentOf(files: readonly File[], now: number): DraftContent {
  const start = startContent('v1', now);
  if (start.api !== 'v1') return start;
  const attachments = files.map(({ id: file, name, modifiedAt }) => ({
    type: 'BASE64' as const,
    category: 'AGREEMENT' as const,
    name,
    file,
    lastModifiedOn: formatV1Time(modifiedAt ?? now),
  }));
  return { api: 'v1', body: { ...start.body, attachments } };
}
