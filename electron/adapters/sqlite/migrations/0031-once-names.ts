export const onceNames = `
-- What a row of the outbox is whatever it says: a shared draft, a row of a batch that was handed over.
-- JSON; no two desks of an office send the same. And what an earlier version took for its content.
ALTER TABLE outbox ADD COLUMN once TEXT;
ALTER TABLE outbox ADD COLUMN former_fingerprint TEXT;

-- The batch whose rows these are at every desk; null when it was never handed over.
ALTER TABLE batch ADD COLUMN origin TEXT;
`;
