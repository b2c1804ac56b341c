export const officeAsked = `
-- The revision that was to be given, while it is not known whether the office has it; null once it has.
ALTER TABLE office_given ADD COLUMN asked INTEGER;
`;
