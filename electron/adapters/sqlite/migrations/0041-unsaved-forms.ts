export const unsavedForms = `
-- Text typed into forms that were neither saved nor cancelled. content: JSON of the form's values.
CREATE TABLE unsaved_form (
  key TEXT PRIMARY KEY,
  content TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
`;
