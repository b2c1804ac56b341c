export const allowed = `
-- Whom a connection for trying may reach, as a JSON list; null where that is everybody.
ALTER TABLE connection ADD COLUMN allowed TEXT;
`;
