export const answeredProblems = `
-- The duplicates that a person was shown when including the row, as a JSON array of their keys.
ALTER TABLE batch_row ADD COLUMN answered TEXT;
`;
