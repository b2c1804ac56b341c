/**
 * Shared and handed over drafts name the draft that they are at every desk: a desk that does not know it would
 * take it away, and send the draft once more.
 */
export const toldLate = 'SELECT 1';
