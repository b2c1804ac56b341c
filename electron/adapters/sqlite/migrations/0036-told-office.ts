export const toldOffice = `
-- Up to which names this desk has told its office what it did before: 0 where it has told nothing since it joined.
ALTER TABLE office ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
`;
