export const replacedRows = `
-- The outbox row that the service refused and this row is put right in place of.
ALTER TABLE batch_row ADD COLUMN replaces TEXT;

-- A sent row holds back what was to replace it: found without reading the whole outbox.
CREATE INDEX outbox_supersedes ON outbox (supersedes) WHERE supersedes IS NOT NULL;
`;
