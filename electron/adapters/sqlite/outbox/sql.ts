import { DAY, HOUR } from '../../../../shared/rules/time/units.ts';

/**
 * Returns SQL for an earlier send with the same content. Equal rows of one batch are exempt, since
 * the user accepted them at import.
 */
const isSameEarlier = (own: string): string => `
  refused.fingerprint = ${own}.fingerprint AND refused.rowid < ${own}.rowid
  AND (${own}.batch_id IS NULL OR refused.batch_id IS NOT ${own}.batch_id)`;

/**
 * SQL that excludes rows of gated connections and held batches, and rows that replace a send whose
 * outcome is still open. Also excludes copies of a rejected send that is being verified, since
 * users copy a send instead of correcting it.
 */
const canBeSentSql = `
  state = 'queued' AND kind = 'create' AND verify = 0 AND next_at IS NOT NULL
  AND (batch_id IS NULL OR EXISTS (
    SELECT 1 FROM outbox_batch AS batch WHERE batch.batch_id = outbox.batch_id AND gate = 'open'))
  AND NOT EXISTS (
    SELECT 1 FROM outbox AS earlier WHERE earlier.ref = outbox.supersedes
      AND (earlier.verify = 1 OR earlier.state NOT IN ('rejected', 'abandoned', 'cancelled', 'sent')))
  AND NOT EXISTS (
    SELECT 1 FROM outbox AS refused WHERE ${isSameEarlier('outbox')}
      AND refused.verify = 1 AND refused.state IN ('rejected', 'abandoned'))`;

/** Clauses after FROM outbox, by name of the query. */
export const where = {
  one: "WHERE ref = @ref AND state <> 'staged'",
  list: `
    WHERE batch_id IS NULL AND (is_open = 1 OR (is_open = 0 AND updated_at >= @since))
    ORDER BY is_open DESC, created_at DESC, rowid DESC`,
  inBatch: "WHERE batch_id = @batchId AND state <> 'staged' ORDER BY row_no, rowid",
  inState: 'WHERE state = @state ORDER BY created_at, row_no, rowid',
  due: `
    WHERE ${canBeSentSql} AND next_at <= @now AND NOT EXISTS (
      SELECT 1 FROM gate WHERE gate.connection_id = outbox.connection_id
        AND (until_at IS NULL OR until_at > @now))
    ORDER BY next_at, created_at, row_no LIMIT @limit`,
  inDoubt: `
    WHERE connection_id = @connectionId AND (state IN ('unknown', 'absent', 'human')
      OR (verify = 1 AND state IN ('queued', 'rejected', 'abandoned'))
      OR state IN ('rejected', 'abandoned'))
    ORDER BY created_at, row_no, rowid`,
  canaries: `
    WHERE connection_id = @connectionId AND kind = 'create' AND state = 'sent'
      AND remote_id IS NOT NULL AND updated_at >= @since
    ORDER BY updated_at DESC, rowid DESC LIMIT @limit`,
  boundTo: `
    WHERE connection_id = @connectionId AND remote_id = @remoteId AND kind = 'create'
      AND state IN ('sent', 'duplicate')`,
  sentBefore: `
    WHERE ref IN (
        SELECT ref FROM outbox WHERE fingerprint IN (SELECT value FROM json_each(@fingerprints))
        UNION SELECT ref FROM outbox WHERE draft_id IN (SELECT value FROM json_each(@draftIds)))
      AND kind = 'create' AND created_at >= @since
      AND state NOT IN ('staged', 'cancelled')
      AND (state NOT IN ('rejected', 'abandoned') OR EXISTS (
          SELECT 1 FROM attempt WHERE attempt.ref = outbox.ref AND outcome = 'unknown')
        OR (state = 'abandoned' AND 'rejected' <> coalesce((
          SELECT outcome FROM attempt WHERE attempt.ref = outbox.ref AND outcome IS NOT NULL
          ORDER BY attempt.number DESC LIMIT 1), '')))
    ORDER BY created_at DESC, rowid DESC`,
  // This runs for every sent row, so it starts from that row instead of all waiting rows.
  replacing: `
    WHERE +state = 'queued' AND ref IN (
      WITH RECURSIVE later (ref) AS (
        SELECT ref FROM outbox WHERE supersedes = @ref
        UNION SELECT outbox.ref FROM outbox JOIN later ON outbox.supersedes = later.ref)
      SELECT ref FROM later)`,
  // Rows are ordered by rowid: the clock may have been set back in between.
  lastOf: `
    WHERE draft_id IN (SELECT value FROM json_each(@draftIds))
      AND (state = 'abandoned' OR (state = 'rejected' AND n_wire > 0))
    ORDER BY rowid DESC LIMIT 1`,
};

export const request = `
  SELECT body, body_sha256 AS sha256, target, signed_at AS signedAt
  FROM outbox WHERE ref = @ref AND state <> 'staged'`;
export const nextDue = `
  SELECT min(at) AS at FROM (
    SELECT max(next_at, coalesce((
      SELECT max(until_at) FROM gate WHERE gate.connection_id = outbox.connection_id), 0)) AS at
    FROM outbox WHERE ${canBeSentSql} AND NOT EXISTS (
      SELECT 1 FROM gate WHERE gate.connection_id = outbox.connection_id AND until_at IS NULL))
  WHERE at > @now`;
/**
 * SQL for the time of the next scan of each connection, but not before the connection's rate limit
 * ends.
 */
export const scanTimes = `
  SELECT connection_id AS id, max(min(look_at), coalesce((
    SELECT until_at FROM gate WHERE gate.connection_id = outbox.connection_id AND kind = 'rate'), 0)) AS at
  FROM outbox INDEXED BY outbox_look
  WHERE look_at IS NOT NULL GROUP BY connection_id`;

/** Number of agreements examined at a time, which takes a frame or two of the window. */
const MAX_WATCHED_ROWS = 2_000;
export const watchEnd = `
  SELECT updated_key AS at FROM agreement INDEXED BY agreement_by_updated
  WHERE updated_key >= @from ORDER BY updated_key LIMIT 1 OFFSET ${String(MAX_WATCHED_ROWS)}`;
const isWatched = `
  outbox.connection_id = @connectionId AND kind = 'create' AND (
    (state = 'sent' AND updated_at >= @sent) OR (state = 'abandoned' AND updated_at >= @abandoned))`;
const markedBy = "json_extract(mark, '$.by')";
/** SQL for the code at the end of a name; the service may normalize the rest of the name. */
const codeHere = "substr(json_extract(mark, '$.name'), -6)";
/** Maximum error of a time in another zone that is read as Stockholm time (ms). */
const MAX_ZONE_OFFSET_MS = 14 * HOUR;
/**
 * SQL for the earliest time, by the service's clock, at which the send can have created an
 * agreement, in any time zone.
 */
const earliest = `coalesce((SELECT CASE credential WHEN '' THEN NULL ELSE floor END FROM attempt
  WHERE attempt.ref = outbox.ref ORDER BY number LIMIT 1), outbox.created_at - ${String(DAY)}) -
  ${String(MAX_ZONE_OFFSET_MS)}`;
/**
 * SQL for agreements that changed in a period, belong to no row, and match a recent send: by
 * reference, by the code in the name, or by the name. A name proves little if the send was
 * attempted only once. `IN` looks names up in their own index.
 */
export const suspects = `
  WITH loose AS MATERIALIZED (
    SELECT id, title, ref, updated_key FROM agreement INDEXED BY agreement_by_updated
    WHERE updated_key >= @from AND updated_key < @until
      AND connection_id = @connectionId AND gone IS NULL AND NOT EXISTS (
        SELECT 1 FROM outbox AS own WHERE own.connection_id = agreement.connection_id
          AND own.remote_id = agreement.id AND own.kind = 'create'
          AND own.state IN ('sent', 'duplicate'))),
  named AS MATERIALIZED (
    SELECT id, updated_key, name, upper(substr(name, -6)) AS code
    FROM (SELECT id, updated_key, tidied_name(title) AS name FROM loose WHERE ref IS NULL))
  SELECT outbox.ref, loose.id AS remoteId FROM loose
  CROSS JOIN outbox ON outbox.ref = loose.ref WHERE ${isWatched}
  UNION ALL
  SELECT outbox.ref, named.id AS remoteId FROM outbox INDEXED BY outbox_listed
  CROSS JOIN named ON named.code = ${codeHere}
  WHERE EXISTS (SELECT 1 FROM named) AND is_open = 0
    AND updated_at >= min(@sent, @abandoned) AND ${isWatched}
    AND ${markedBy} = 'name' AND ${codeHere} IN (SELECT code FROM named)
  UNION ALL
  SELECT outbox.ref, named.id AS remoteId FROM outbox INDEXED BY outbox_listed
  CROSS JOIN named ON named.name = tidied_name(outbox.title)
  WHERE EXISTS (SELECT 1 FROM named) AND is_open = 0
    AND updated_at >= min(@sent, @abandoned) AND ${isWatched}
    AND (${markedBy} = 'field' OR (${markedBy} IN ('token', 'nothing') AND n_wire > 1))
    AND tidied_name(outbox.title) IN (SELECT name FROM named)
    AND named.updated_key >= ${earliest}`;

/**
 * SQL for the state of an earlier send that the service has, otherwise of a send that may exist.
 * Considers the sends that the row replaces (also indirectly) and rejected ones with the same
 * content (from a copied draft, or a spreadsheet added again). Excludes sends known when the user
 * approved the row, sends that the service had before the row was created (the user was shown
 * them), and sends of unknown outcome that the user gave up after comparing them.
 */
export const replacedOpen = `
  WITH RECURSIVE earlier (ref) AS (
    SELECT supersedes FROM outbox WHERE ref = @ref AND supersedes IS NOT NULL
    UNION SELECT refused.ref FROM outbox AS own
    JOIN outbox AS refused ON ${isSameEarlier('own')}
    WHERE own.ref = @ref AND EXISTS (
      SELECT 1 FROM attempt WHERE attempt.ref = refused.ref AND outcome = 'rejected')
    UNION SELECT outbox.supersedes FROM outbox JOIN earlier USING (ref)
    WHERE outbox.supersedes IS NOT NULL)
  SELECT state FROM earlier JOIN outbox USING (ref)
  WHERE (state IN ('sent', 'duplicate') AND NOT EXISTS (
      SELECT 1 FROM journal WHERE journal.ref = @ref AND (cause = 'replaced' OR from_state IS NULL)
        AND number > (SELECT max(number) FROM journal AS found
          WHERE found.ref = outbox.ref AND found.to_state IN ('sent', 'duplicate'))))
    OR ((state IN ('unknown', 'absent', 'human') OR (
        state IN ('rejected', 'abandoned') AND verify = 0 AND vain_passes > 0 AND clean_passes = 0
        AND 'unknown' <> coalesce((SELECT outcome FROM attempt WHERE attempt.ref = outbox.ref
          AND outcome IS NOT NULL ORDER BY attempt.number DESC LIMIT 1), '')))
      AND NOT EXISTS (SELECT 1 FROM journal WHERE journal.ref = @ref AND cause = 'replaced'))
  ORDER BY state IN ('sent', 'duplicate') DESC, created_at LIMIT 1`;

export const insertFile = `
  INSERT INTO outbox_file (ref, place, name, data) VALUES (@ref, @place, @name, @data)`;
export const uploads = 'SELECT place, name, token FROM outbox_file WHERE ref = @ref ORDER BY place';
export const uploadData = `
  SELECT data FROM outbox_file WHERE ref = @ref AND place = @place AND data IS NOT NULL`;
export const setToken = `
  UPDATE outbox_file SET token = @token WHERE ref = @ref AND place = @place`;
export const dropFiles = `
  UPDATE outbox_file SET data = NULL WHERE ref = @ref AND data IS NOT NULL`;
export const complete = `
  UPDATE outbox SET body = @body, body_sha256 = @sha256, is_whole = 1, version = version + 1
  WHERE ref = @ref AND state = 'queued' AND is_whole = 0`;

export const claim = `
  UPDATE outbox SET state = 'sending', version = version + 1, n_wire = n_wire + 1,
    next_at = NULL, reason = NULL, updated_at = @at
  WHERE ref = @ref AND version = @version`;
export const beginAttempt = `
  INSERT INTO attempt (ref, started_at, floor, credential) VALUES (@ref, @at, @floor, @credential)`;
export const endAttempt = `
  UPDATE attempt SET ended_at = @at, outcome = @to, failure = @failure, headers_sent = @headersSent
  WHERE ref = @ref AND ended_at IS NULL`;
export const attempts = `
  SELECT row_number() OVER (ORDER BY number) AS number, started_at AS startedAt,
    ended_at AS endedAt, headers_sent AS "left", outcome, failure, floor, credential
  FROM attempt WHERE ref = @ref ORDER BY attempt.number`;
export const move = `
  UPDATE outbox SET state = @to, version = version + 1, remote_id = @remoteId, next_at = @nextAt,
    chosen_at = @chosenAt,
    reason = @reason, n_wire = n_wire - @uncounted, verify = @verify, ended_at = @endedAt,
    clean_passes = @cleanPasses, clean_at = @cleanAt, vain_passes = @inconclusiveScans,
    vain_since = @inconclusiveSince, looks = @looks, look_at = @lookAt, updated_at = @at
  WHERE ref = @ref AND version = @version`;
