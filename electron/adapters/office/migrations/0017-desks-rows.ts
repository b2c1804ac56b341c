/**
 * Rows of one seat of which every desk keeps something, by kind; each is looked at among all of the same kind. Those
 * that were removed count too. An address book has none of these.
 */
const ITEMS: Readonly<Record<string, number>> = {
  group: 2000,
  view: 2000,
  'reminder-rule': 500,
  template: 5000,
  draft: 20_000,
};

/** Ids that desks read, and that a seat can write. */
const IDS: readonly (readonly [table: string, column: string])[] = [
  ['desk', 'id'],
  ['operation', 'id'],
  ['operation', 'desk'],
  ['shared_item', 'id'],
  ['approval', 'id'],
  ['handover', 'id'],
  ['batch_progress', 'batch'],
  ['batch_progress', 'desk'],
  ['put_back_missing', 'missing'],
  ['put_back_missing', 'of_seat'],
];

// Rows of desks stay, since others refer to them: desks read past them.
const bounded = IDS.map(
  ([table, column]) => `ALTER TABLE ${table} ADD CONSTRAINT ${table}_${column}_of_desks
  CHECK (is_desks_id(${column})) NOT VALID;`,
).join('\n');

const most = Object.entries(ITEMS)
  .map(([kind, count]) => `WHEN '${kind}' THEN ${String(count)}`)
  .join(' ');

/** A row that no desk could have written harms no other desk. */
export const desksRows = `
-- As desks make ids and read them (RFC 9562). PostgreSQL takes any 32 digits, by which whole lists could not be read.
CREATE FUNCTION is_desks_id(id uuid) RETURNS boolean LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
  SELECT id::text ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab]';
END;
-- No program made these, so that they keep nobody from sending anything.
DELETE FROM claim c USING operation o
WHERE o.id = c.operation AND NOT (is_desks_id(o.id) AND is_desks_id(o.desk));
DELETE FROM operation WHERE NOT (is_desks_id(id) AND is_desks_id(desk));
DELETE FROM put_back_missing WHERE NOT (is_desks_id(missing) AND is_desks_id(of_seat));
DELETE FROM batch_progress WHERE NOT (is_desks_id(batch) AND is_desks_id(desk));
DELETE FROM approval WHERE NOT is_desks_id(id);
DELETE FROM handover_piece WHERE NOT is_desks_id(handover);
DELETE FROM handover WHERE NOT is_desks_id(id);
DELETE FROM shared_item WHERE NOT is_desks_id(id);
-- Nobody waits for what no program can be.
UPDATE desk SET seen_at = '2000-01-01' WHERE NOT is_desks_id(id);
${bounded}

-- A task is one of its kind: a row of another kind, by a seat that may not take this one, keeps nobody from it.
ALTER TABLE lease DROP CONSTRAINT lease_pkey;
ALTER TABLE lease ADD PRIMARY KEY (task, kind);

CREATE INDEX shared_item_of_seat ON shared_item (seat, kind);
CREATE FUNCTION few_items_of_kind() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF this_seat() IS NULL THEN RETURN NULL; END IF;
  IF EXISTS (SELECT FROM (SELECT DISTINCT n.kind FROM new_rows n) k
    WHERE (SELECT count(*) FROM shared_item i WHERE i.seat = this_seat() AND i.kind = k.kind)
      > CASE k.kind ${most} END)
  THEN
    RAISE EXCEPTION 'No seat shares more of this kind' USING ERRCODE = 'SD002';
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION few_items_of_kind() FROM PUBLIC;
-- Whoever writes what desks share does so alone (number_change).
CREATE TRIGGER few_items_of_kind AFTER INSERT ON shared_item
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION few_items_of_kind();
`;
