export const forgottenForGood = `
-- What was forgotten stays so when its connection is removed and the service is connected again.
DROP TRIGGER connection_forgets_all;
`;
