export const templates = `
CREATE TABLE template (
  id          TEXT PRIMARY KEY,
  name        TEXT NOT NULL,
  -- What it was made of (without the PDF), and what is done with it, as JSON.
  source      TEXT NOT NULL,
  content     TEXT NOT NULL,
  next_number INTEGER NOT NULL DEFAULT 1 CHECK (next_number >= 1),
  used        INTEGER NOT NULL DEFAULT 0 CHECK (used >= 0),
  revision    INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  trashed_at  INTEGER
) STRICT;

CREATE INDEX template_trashed ON template (trashed_at) WHERE trashed_at IS NOT NULL;

CREATE TRIGGER template_numbers_only_grow BEFORE UPDATE OF next_number ON template
WHEN NEW.next_number < OLD.next_number
BEGIN SELECT RAISE(ABORT, 'a number is never given twice'); END;

-- Beside the template, so that lists never read the files.
CREATE TABLE template_pdf (
  template_id TEXT PRIMARY KEY REFERENCES template (id) ON DELETE CASCADE,
  data        BLOB NOT NULL
) STRICT;
`;
