export const metDesks = `
-- JSON: the desks of its office that this one has met. An office's database that was put back from an older dump
-- does not know the newest of them.
ALTER TABLE office ADD COLUMN desks TEXT NOT NULL DEFAULT '[]';
`;
