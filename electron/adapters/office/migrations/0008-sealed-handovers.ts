/** What is handed over has a key of its own, which is wrapped for the two seats alone. */
export const sealedHandovers = `
ALTER TABLE handover ADD COLUMN wrapped bytea;
`;
