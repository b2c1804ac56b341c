export const sentElsewhere = `
-- The agreement that a draft became on another desk, whose export was imported; null for what was
-- sent from here, where the outbox knows it. It is found by it for a copy, and is never sent again.
ALTER TABLE draft ADD COLUMN agreement_id TEXT;
CREATE INDEX draft_agreement ON draft (agreement_id) WHERE agreement_id IS NOT NULL;
`;
