export const archiveChecks = `
-- What reading the file again found, and when; null until it was.
ALTER TABLE archive ADD COLUMN checked_at INTEGER;
ALTER TABLE archive ADD COLUMN finding TEXT CHECK (finding IN ('intact', 'changed', 'missing'));

-- Two agreements with one content: the service gave the PDF of another one.
CREATE INDEX archive_place_content ON archive_place (folder, sha256);
`;
