export const officeReminders = `
-- Whom other desks of the office reminded, or may have: rules count it as what was sent here.
CREATE TABLE office_reminder (
  id            TEXT PRIMARY KEY,
  connection_id TEXT NOT NULL REFERENCES connection (id),
  agreement_id  TEXT NOT NULL,
  party_id      TEXT NOT NULL,
  at            INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX office_reminder_agreement ON office_reminder (connection_id, agreement_id);

-- Up to when that was read, by the office's clock, for these services: with another one it is read anew.
CREATE TABLE office_reminders_read (
  id            INTEGER PRIMARY KEY CHECK (id = 1),
  services      TEXT NOT NULL,
  up_to         INTEGER NOT NULL
) STRICT;
`;
