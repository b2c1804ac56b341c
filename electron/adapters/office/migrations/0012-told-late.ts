/**
 * Shared and handed over drafts name the draft that they are at every desk: a desk that does not know it would
 * take it away, and send the draft once more. And reminders are read in the order in which the office learned
 * them: it may be told late of what began long ago.
 */
export const toldLate = `
DROP INDEX operation_reminded;
CREATE INDEX operation_reminded ON operation (moved_at) WHERE kind = 'remind';
`;
