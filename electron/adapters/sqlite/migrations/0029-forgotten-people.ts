export const forgottenPeople = `
-- Ids of entries that were erased, and nothing else of them: an older copy that has one of these does not
-- bring its person back.
CREATE TABLE forgotten_person (
  id            TEXT PRIMARY KEY,
  at            INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
