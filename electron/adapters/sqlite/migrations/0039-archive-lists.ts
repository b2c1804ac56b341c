export const archiveLists = `
-- The index and the other lists of the folder as they were written here: JSON of the core's ListMarks.
ALTER TABLE archive_folder ADD COLUMN lists TEXT;
`;
