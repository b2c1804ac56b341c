export const draftOrigins = `
-- The draft that this one is at every desk: it was handed over, shared or imported under another id. Null where
-- that is the draft itself.
ALTER TABLE draft ADD COLUMN origin TEXT;
`;
