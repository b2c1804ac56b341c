const columns = `id, name, stage, connection_id AS connectionId, template_id AS templateId,
  template_revision AS templateRevision, file_name AS fileName, sheet, choices, mapping, matches,
  schedule, policy, revision, created_at AS createdAt, updated_at AS updatedAt`;

const rowColumns = `number AS row, cells, original, marks, choice, answered, ref, failure, replaces`;

export const sql = {
  list: `
    SELECT id, name, stage, connection_id AS connectionId, file_name AS fileName,
      updated_at AS updatedAt,
      (SELECT count(*) FROM batch_row WHERE batch_row.batch_id = batch.id) AS rows
    FROM batch ORDER BY updated_at DESC, id`,
  get: `SELECT ${columns} FROM batch WHERE id = @id`,
  file: 'SELECT data, file_sha256 AS sha256 FROM batch WHERE id = @id',
  insert: `
    INSERT INTO batch (id, name, stage, connection_id, template_id, template_revision, file_name,
      file_sha256, data, sheet, choices, mapping, matches, schedule, policy, revision, created_at,
      updated_at, origin)
    VALUES (@id, @name, @stage, @connectionId, @templateId, @templateRevision, @fileName, @sha256,
      @data, @sheet, @choices, @mapping, @matches, @schedule, @policy, 1, @createdAt, @updatedAt,
      @origin)`,
  save: `
    UPDATE batch SET name = @name, connection_id = @connectionId, template_id = @templateId,
      template_revision = @templateRevision, mapping = @mapping, matches = @matches,
      schedule = @schedule, policy = @policy, revision = revision + 1, updated_at = @at
    WHERE id = @id`,
  setSheet: `
    UPDATE batch SET sheet = @sheet, choices = @choices, revision = revision + 1, updated_at = @at
    WHERE id = @id`,
  touch: 'UPDATE batch SET revision = revision + 1, updated_at = @at WHERE id = @id',
  remove: 'DELETE FROM batch WHERE id = @id',
  origin: 'SELECT coalesce(origin, id) AS origin FROM batch WHERE id = @id',
  replaced: `
    SELECT number AS row, replaces FROM batch_row
    WHERE batch_id = @id AND replaces IS NOT NULL`,
  removeRows: 'DELETE FROM batch_row WHERE batch_id = @id',
  insertRow: `
    INSERT INTO batch_row (batch_id, number, cells, marks, replaces)
    VALUES (@id, @row, @cells, @marks, @replaces)`,
  rows: `SELECT ${rowColumns} FROM batch_row WHERE batch_id = @id ORDER BY number`,
  line: `SELECT ${rowColumns} FROM batch_row WHERE batch_id = @id AND number = @row`,
  editRow: `
    UPDATE batch_row SET cells = @cells, marks = @marks, original = @original, failure = NULL
    WHERE batch_id = @id AND number = @row`,
  choose: `
    UPDATE batch_row SET choice = @choice, answered = @answered,
      failure = CASE WHEN @choice = 0 THEN NULL ELSE failure END
    WHERE batch_id = @id AND number = @row`,
  setFailure: `
    UPDATE batch_row SET failure = @failure WHERE batch_id = @id AND number = @row`,
  setStage: `
    UPDATE batch SET stage = @to, updated_at = @at WHERE id = @id AND stage = @from`,
  setRef: `
    UPDATE batch_row SET ref = @ref, hash = @hash WHERE batch_id = @id AND number = @row`,
  arming: "SELECT id FROM batch WHERE stage = 'arming'",
  sentBefore: `
    SELECT batch_row.hash, batch.name AS batchName, batch_row.number AS row,
      outbox.ref, max(outbox.updated_at) AS at, outbox.state = 'abandoned' AS isGivenUp
    FROM json_each(@hashes) AS asked CROSS JOIN batch_row ON batch_row.hash = asked.value
      JOIN batch ON batch.id = batch_row.batch_id
      JOIN outbox ON outbox.ref = batch_row.ref
    WHERE batch.id <> @except AND batch.stage = 'armed'
      AND outbox.state NOT IN ('staged', 'rejected', 'cancelled')
    GROUP BY batch_row.hash, isGivenUp ORDER BY isGivenUp DESC`,
  // The same file names the same rows: in its copies, and for the same template.
  sentOfRows: `
    SELECT asked.value AS asked, batch_row.hash, batch.name AS batchName, batch_row.number AS row,
      outbox.ref, max(outbox.updated_at) AS at, outbox.state = 'abandoned' AS isGivenUp
    FROM batch AS own JOIN batch ON batch.file_sha256 = own.file_sha256 AND batch.id <> own.id
      AND batch.stage = 'armed' AND (
        coalesce(batch.origin, batch.id) = coalesce(own.origin, own.id)
        OR (batch.template_id IS own.template_id
          AND json_extract(batch.sheet, '$.sheet') IS json_extract(own.sheet, '$.sheet')))
      CROSS JOIN json_each(@rows) AS asked
      CROSS JOIN batch_row ON batch_row.batch_id = batch.id AND batch_row.number = asked.value
      JOIN outbox ON outbox.ref = batch_row.ref
    WHERE own.id = @id AND outbox.state NOT IN ('staged', 'rejected', 'cancelled')
    GROUP BY asked.value, isGivenUp ORDER BY isGivenUp DESC`,
  foreignKeys: `
    SELECT agreement.id, json_extract(content.remote, '$.tags."desk.key"') AS key
    FROM agreement JOIN agreement_content AS content ON content.number = agreement.number
    WHERE agreement.connection_id IN (SELECT value FROM json_each(@connections))
      AND content.remote LIKE '%"desk.key"%'
      AND json_extract(content.remote, '$.tags."desk.key"') IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM outbox
        WHERE outbox.connection_id IN (SELECT value FROM json_each(@connections))
        AND outbox.ref = json_extract(content.remote, '$.tags."desk.ref"'))`,
  recall: `
    SELECT matches FROM column_memory WHERE template_id = @templateId AND header_key = @headerKey`,
  remember: `
    INSERT INTO column_memory (template_id, header_key, matches, used_at)
    VALUES (@templateId, @headerKey, @matches, @at)
    ON CONFLICT (template_id, header_key) DO UPDATE
    SET matches = excluded.matches, used_at = excluded.used_at`,
} as const;
