export const chosenTimes = `
-- The time that a person chose for a row of the outbox; next_at may be moved to a later one by what
-- holds the row back. Null where no time was chosen, and once a person said that it goes at once.
ALTER TABLE outbox ADD COLUMN chosen_at INTEGER;
UPDATE outbox SET chosen_at = next_at WHERE is_scheduled = 1 AND state IN ('staged', 'queued');
`;
