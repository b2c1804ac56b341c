export const removedForGood = `
-- Ids of what was removed, and nothing else of it: an older copy does not bring it back. forgotten_at (epoch ms) is
-- set where it was removed with a person who was forgotten.
CREATE TABLE removed_item (
  kind          TEXT NOT NULL CHECK (kind IN ('draft', 'template', 'person', 'group', 'batch')),
  id            TEXT NOT NULL,
  forgotten_at  INTEGER,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER draft_removed AFTER DELETE ON draft BEGIN
  INSERT INTO removed_item (kind, id) VALUES ('draft', old.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER template_removed AFTER DELETE ON template BEGIN
  INSERT INTO removed_item (kind, id) VALUES ('template', old.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER person_removed AFTER DELETE ON person BEGIN
  INSERT INTO removed_item (kind, id) VALUES ('person', old.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER group_removed AFTER DELETE ON person_group BEGIN
  INSERT INTO removed_item (kind, id) VALUES ('group', old.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER batch_removed AFTER DELETE ON batch BEGIN
  INSERT INTO removed_item (kind, id) VALUES ('batch', old.id) ON CONFLICT DO NOTHING;
END;

-- What was sent, and is here no more, was removed before these ids were kept.
INSERT INTO removed_item (kind, id)
SELECT DISTINCT 'draft', draft_id FROM outbox
WHERE draft_id IS NOT NULL AND draft_id NOT IN (SELECT id FROM draft);
INSERT INTO removed_item (kind, id)
SELECT DISTINCT 'batch', batch_id FROM outbox
WHERE batch_id IS NOT NULL AND batch_id NOT IN (SELECT id FROM batch);
`;
