/** SQL for whether the archived file `f` was found missing or changed. */
export const isDamagedSql = "f.finding IN ('changed', 'missing')";

/** SQL for the numbers of the agreements whose archived file was found missing or changed. */
export const damagedNumbersSql = `SELECT d.number FROM archive f INDEXED BY archive_damaged
  CROSS JOIN agreement d ON d.connection_id = f.connection_id AND d.id = f.id
  WHERE ${isDamagedSql}`;

/**
 * SQL for whether the PDF of an agreement is in the archive and was not found damaged, which the
 * column `agreement.archived` stores.
 */
export const isSafelyArchivedSql = `EXISTS (SELECT 1 FROM archive f
  WHERE f.connection_id = @connectionId AND f.id = @id AND (${isDamagedSql}) IS NOT TRUE)`;
