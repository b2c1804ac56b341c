import { createHash } from 'node:crypto';
import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import { DraftContent } from '../../../../shared/contract/drafts.ts';
import { titleOf } from '../../../../shared/rules/drafts/check.ts';
import type { KnownValues, TableLoss } from './losses.ts';
import { hasColumn } from './had-columns.ts';

/** Final states of a send. */
const FINAL_STATES = ['sent', 'cancelled', 'abandoned'];

const Ref = z.object({ ref: z.string() });
const LastStateRow = z.object({ state: z.string(), at: z.number() });
const LostDraftRow = z.object({
  id: z.string(),
  connectionId: z.string().nullable(),
  content: z.string(),
});

/**
 * Restores sends whose row is lost, by their reference and without content. Sends that may have
 * left this computer get an unknown outcome: the service is searched for them, and the user is
 * asked before a similar agreement is sent. Returns the number of sends with an unknown outcome.
 */
export function restoreLostSends(
  raw: Sqlite.Database,
  loss: TableLoss | undefined,
  now: number,
): number {
  // Older versions of the data file have no fingerprint.
  if (!hasColumn(raw, 'outbox', 'fingerprint')) return 0;
  const known = new Map<string, KnownValues>();
  for (const row of loss?.rows.values() ?? []) {
    const ref = row.get('ref');
    if (typeof ref === 'string') known.set(ref, row);
  }
  const named = z.array(Ref).parse(
    raw
      .prepare(
        `SELECT ref FROM journal UNION SELECT ref FROM attempt
         UNION SELECT sending FROM draft WHERE sending IS NOT NULL`,
      )
      .all(),
  );
  const refs = new Set([...known.keys(), ...named.map(({ ref }) => ref)]);
  const isThere = raw.prepare('SELECT 1 FROM outbox WHERE ref = ?');
  const isSignature = hasColumn(raw, 'evidence', 'ref')
    ? raw.prepare("SELECT 1 FROM evidence WHERE ref = ? AND kind = 'intended'")
    : null;
  let asking = 0;
  for (const ref of [...refs].toSorted()) {
    // A signature is not repeated; its intent in the evidence already makes the program ask the
    // user.
    if (isThere.get(ref) !== undefined || isSignature?.get(ref) !== undefined) continue;
    if (addUnknownSend(raw, ref, known.get(ref) ?? new Map(), now)) asking += 1;
  }
  return asking;
}

function addUnknownSend(
  raw: Sqlite.Database,
  ref: string,
  known: KnownValues,
  now: number,
): boolean {
  const draft = draftOf(raw, ref, textOf(known, 'draft_id'));
  const last = LastStateRow.safeParse(
    raw
      .prepare(
        'SELECT to_state AS state, at FROM journal WHERE ref = ? ORDER BY number DESC LIMIT 1',
      )
      .get(ref),
  ).data;
  const state = textOf(known, 'state') ?? last?.state ?? 'unknown';
  const connectionId =
    draft?.connectionId ??
    textOf(known, 'connection_id') ??
    raw
      .prepare('SELECT id FROM connection ORDER BY is_removed, created_at, id LIMIT 1')
      .pluck()
      .get();
  if (typeof connectionId !== 'string') return false;
  const isV1 =
    raw.prepare('SELECT api FROM connection WHERE id = ?').pluck().get(connectionId) === 'v1';
  raw
    .prepare(
      `INSERT INTO outbox (ref, kind, state, title, connection_id, mark, fingerprint, remote_id,
         draft_id, people, body, body_sha256, created_at, updated_at)
       VALUES (@ref, 'create', @state, @title, @connectionId, @mark, @fingerprint, @remoteId,
         @draftId, '[]', x'', @sha256, @createdAt, @createdAt)`,
    )
    .run({
      ref,
      state: FINAL_STATES.includes(state) ? state : 'unknown',
      title: draft === null ? '' : titleIn(draft.content),
      connectionId,
      mark: JSON.stringify({ by: isV1 ? 'tag' : 'nothing' }),
      fingerprint: textOf(known, 'fingerprint'),
      remoteId: textOf(known, 'remote_id'),
      draftId: draft?.id ?? textOf(known, 'draft_id'),
      sha256: createHash('sha256').update('').digest('hex'),
      createdAt: numberOf(known, 'created_at') ?? last?.at ?? now,
    });
  return !FINAL_STATES.includes(state);
}

function draftOf(
  raw: Sqlite.Database,
  ref: string,
  id: string | null,
): z.infer<typeof LostDraftRow> | null {
  const found = raw
    .prepare(
      `SELECT id, connection_id AS connectionId, content FROM draft
       WHERE (sending = @ref OR id = @id) AND json_valid(content)`,
    )
    .get({ ref, id });
  return LostDraftRow.safeParse(found).data ?? null;
}

function titleIn(content: string): string {
  const parsed = DraftContent.safeParse(JSON.parse(content));
  return parsed.success ? titleOf(parsed.data) : '';
}

function textOf(known: KnownValues, column: string): string | null {
  const value = known.get(column);
  return typeof value === 'string' ? value : null;
}

function numberOf(known: KnownValues, column: string): number | null {
  const value = known.get(column);
  return typeof value === 'bigint' ? Number(value) : null;
}
