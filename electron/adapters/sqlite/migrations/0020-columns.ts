export const columns = `
-- When it was sent, as the service told; null where it did not, and then nothing is counted from it.
ALTER TABLE agreement ADD COLUMN sent_at INTEGER;
UPDATE agreement SET sent_at = (SELECT json_extract(c.remote, '$.sentAt')
  FROM agreement_content c WHERE c.number = agreement.number);
-- v2: the service's template it was made of, beside its mark; null where only the mark was kept.
ALTER TABLE agreement ADD COLUMN template_id TEXT;

-- The template here that a draft was made of, and that what was sent was made of; of what was sent
-- singly before this version nobody knows it.
ALTER TABLE draft ADD COLUMN template_id TEXT;
ALTER TABLE outbox ADD COLUMN template_id TEXT;
UPDATE outbox SET template_id = (SELECT b.template_id FROM batch b WHERE b.id = outbox.batch_id)
  WHERE batch_id IS NOT NULL;

-- What the board counts, without a look at the agreements themselves. That drafts are left out keeps
-- this one from being taken for what asks for open agreements alone.
CREATE INDEX agreement_open_sent ON agreement (sent_at, facets)
  WHERE is_open = 1 AND state <> 'draft';
CREATE INDEX agreement_signing ON agreement (closed_at, sent_at, facets, number, template_id)
  WHERE state = 'signed';
CREATE INDEX archive_damaged ON archive (finding) WHERE finding IN ('changed', 'missing');
`;
