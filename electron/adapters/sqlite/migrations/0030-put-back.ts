export const putBack = `
-- How far this desk's own number in its office was raised: a lower one there means that the office's
-- database was put back to an older state.
ALTER TABLE office ADD COLUMN mark INTEGER NOT NULL DEFAULT 0;
`;
