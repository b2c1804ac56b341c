import * as z from 'zod';
import { HandoverKind } from '../../../../shared/contract/office/handovers.ts';
import { OfficeItemKind, SharedItemSet } from '../../../../shared/contract/office/items.ts';
import { OfficeMembership, OfficeUserId } from '../../../../shared/contract/office/office.ts';
import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';
import type { OfficeStore } from '../../../core/office/ports.ts';
import { blobColumn, flagColumn, jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { DraftId, OutboxRef } from '../../../../shared/model/ids.ts';

const item = 'kind, id, version, content, seat, open, is_here AS isHere';

const sql = {
  membership: `
    SELECT office, seat, desk, name, address, goes_on_without AS goesOnWithout
    FROM office WHERE id = 1`,
  join: `
    INSERT INTO office (id, office, seat, desk, name, address, goes_on_without)
    VALUES (1, @office, @seat, @desk, @name, @address, @goesOnWithout)
    ON CONFLICT (id) DO UPDATE SET office = excluded.office, seat = excluded.seat,
      desk = excluded.desk, name = excluded.name, address = excluded.address,
      goes_on_without = excluded.goes_on_without,
      mark = CASE WHEN office.desk = excluded.desk THEN office.mark ELSE 0 END,
      former = CASE WHEN office.seat <> excluded.seat THEN '[]'
        WHEN office.desk = excluded.desk OR office.mark = 0 THEN office.former
        ELSE json_insert(office.former, '$[#]', json_object('desk', office.desk, 'mark', office.mark)) END,
      desks = CASE WHEN office.office = excluded.office THEN office.desks ELSE '[]' END,
      told = CASE WHEN office.seat = excluded.seat THEN office.told ELSE 0 END`,
  told: 'SELECT told FROM office WHERE id = 1',
  tell: 'UPDATE office SET told = max(told, @names) WHERE desk = @desk',
  mark: 'SELECT mark FROM office WHERE id = 1',
  reach: 'UPDATE office SET mark = max(mark, @mark) WHERE id = 1',
  former: 'SELECT former FROM office WHERE id = 1',
  keepFormer: 'UPDATE office SET former = @former WHERE id = 1',
  desks: 'SELECT desks FROM office WHERE id = 1',
  keepDesks: 'UPDATE office SET desks = @desks WHERE id = 1',
  leave: 'DELETE FROM office',
  forgetShared: 'DELETE FROM office_shared',
  forgetItems: 'DELETE FROM office_item',
  forgetDrafts: 'DELETE FROM office_draft',
  seen: `
    SELECT operation AS id, generation FROM office_seen_claim WHERE key = @key AND by = @by`,
  see: `
    INSERT INTO office_seen_claim (key, by, operation, generation) VALUES (@key, @by, @id, @generation)
    ON CONFLICT (key, by, operation) DO UPDATE SET generation = max(generation, excluded.generation)`,
  isWithout: 'SELECT 1 AS found FROM office_without WHERE ref = @ref',
  goWithout: 'INSERT INTO office_without (ref) VALUES (@ref) ON CONFLICT (ref) DO NOTHING',
  unclaimed: 'SELECT ref FROM office_without WHERE is_claimed = 0 ORDER BY ref',
  claimed: 'UPDATE office_without SET is_claimed = 1 WHERE ref = @ref',
  shared: 'SELECT name, read_up_to AS readUpTo FROM office_shared ORDER BY name',
  share: `
    INSERT INTO office_shared (name, read_up_to) VALUES (@name, @readUpTo)
    ON CONFLICT (name) DO UPDATE SET read_up_to = excluded.read_up_to`,
  unshare: 'DELETE FROM office_shared WHERE name = @name',
  forgetKind: 'DELETE FROM office_item WHERE kind = @kind',
  readAnew: 'UPDATE office_shared SET read_up_to = 0',
  readRemindersAnew: 'DELETE FROM office_reminders_read',
  remindersReadUpTo: `
    SELECT up_to AS upTo FROM office_reminders_read WHERE id = 1 AND services = @source`,
  readReminders: `
    INSERT INTO office_reminders_read (id, services, up_to) VALUES (1, @source, @upTo)
    ON CONFLICT (id) DO UPDATE SET services = excluded.services, up_to = excluded.up_to`,
  // Reminders of this computer are in its own `action` table.
  keepReminder: `
    INSERT INTO office_reminder (id, connection_id, agreement_id, party_id, at)
    SELECT @id, @connectionId, @agreementId, @partyId, @at
    WHERE NOT EXISTS (SELECT 1 FROM action WHERE action.id = @id)
    ON CONFLICT (id) DO NOTHING`,
  dropReminder: 'DELETE FROM office_reminder WHERE id = @id',
  item: `SELECT ${item} FROM office_item WHERE kind = @kind AND id = @id`,
  countItems: `
    SELECT count(*) AS total FROM office_item WHERE kind = @kind AND content <> 'null'`,
  asked: `SELECT ${item} FROM office_item WHERE open <> '[]' ORDER BY kind, id`,
  itemsBehind: `
    SELECT ${item} FROM office_item WHERE kind = @kind AND id > @id ORDER BY id LIMIT @limit`,
  late: `SELECT ${item} FROM office_item WHERE kind = @kind AND is_here = 0 ORDER BY id`,
  putItem: `
    INSERT INTO office_item (kind, id, version, content, seat, open, is_here)
    VALUES (@kind, @id, @version, @content, @seat, @open, @isHere)
    ON CONFLICT (kind, id) DO UPDATE SET version = excluded.version, content = excluded.content,
      seat = excluded.seat, open = excluded.open, is_here = excluded.is_here`,
  // A row in `removed_item` prevents an older copy from restoring the draft, even if this computer
  // never had it.
  noteRemoved: `INSERT INTO removed_item (kind, id) VALUES ('draft', @id) ON CONFLICT DO NOTHING`,
};

const betweenSql = {
  all: 'SELECT draft_id AS draft FROM office_draft ORDER BY draft_id',
  one: 'SELECT draft_id AS draft FROM office_draft WHERE draft_id = @draft',
  add: 'INSERT INTO office_draft (draft_id) VALUES (@draft) ON CONFLICT (draft_id) DO NOTHING',
  remove: 'DELETE FROM office_draft WHERE draft_id = @draft',
  keep: `
    INSERT INTO office_kept_draft (draft_id, seat, at) VALUES (@draft, @seat, @at)
    ON CONFLICT (draft_id) DO NOTHING`,
  given: 'SELECT id, kind, what, title, data, at, asked FROM office_given ORDER BY at, id',
  keepGiven: `
    INSERT INTO office_given (id, kind, what, title, data, at, asked)
    VALUES (@id, @kind, @what, @title, @data, @at, @asked)
    ON CONFLICT (id) DO UPDATE SET asked = excluded.asked`,
  dropGiven: 'DELETE FROM office_given WHERE id = @id',
  kept: 'SELECT draft_id AS draft, seat FROM office_kept_draft ORDER BY draft_id',
};

const Membership = z.object({
  office: z.string(),
  seat: OfficeMembership.shape.seat,
  desk: z.string(),
  name: z.string(),
  address: jsonColumn(OfficeMembership.shape.address),
  goesOnWithout: flagColumn,
});

const DesksRow = z.object({
  desks: jsonColumn(
    z.array(
      z.object({
        desk: z.string(),
        seat: OfficeUserId,
        role: z.string(),
        seenAt: z.number(),
        name: z.string(),
      }),
    ),
  ),
});
const FormerDesks = z.object({
  former: jsonColumn(z.array(z.object({ desk: z.string(), mark: z.number() }))),
});
const SharedSetRow = z.object({ name: SharedItemSet, readUpTo: z.number() });
const Item = z.object({
  kind: OfficeItemKind,
  id: z.string(),
  version: z.number(),
  // Content is not validated: only this program writes it, and thousands of rows are read at once.
  content: jsonColumn(z.custom<Json>()),
  seat: OfficeUserId,
  open: jsonColumn(z.array(z.string())),
  isHere: flagColumn,
});

type ItemStore = Pick<
  OfficeStore,
  | 'shareAnew'
  | 'shared'
  | 'share'
  | 'unshare'
  | 'item'
  | 'countItems'
  | 'asked'
  | 'itemsBehind'
  | 'late'
  | 'putItem'
>;

/** Stores the sets that this computer shares, and their items as last seen in the office. */
function createItems(database: Database): ItemStore {
  const shared = database.query(sql.shared, SharedSetRow);
  const one = database.query(sql.item, Item);
  const count = database.query(sql.countItems, z.object({ total: z.number() }));
  const asked = database.query(sql.asked, Item);
  const behind = database.query(sql.itemsBehind, Item);
  const late = database.query(sql.late, Item);
  const share = database.command(sql.share);
  const unshare = database.command(sql.unshare);
  const forgetKind = database.command(sql.forgetKind);
  const putItem = database.command(sql.putItem);
  const noteRemoved = database.command(sql.noteRemoved);
  const anew = [sql.readAnew, sql.readRemindersAnew, sql.forgetItems].map((one) =>
    database.command(one),
  );
  return {
    shared: () => new Map(shared.all().map(({ name, readUpTo }) => [name, readUpTo])),
    share: (name, readUpTo) => void share({ name, readUpTo }),
    unshare: (name, kinds) =>
      database.transaction(() => {
        unshare({ name });
        for (const kind of kinds) forgetKind({ kind });
      }),
    shareAnew: () =>
      database.transaction(() => {
        for (const one of anew) one();
      }),
    item: (kind, id) => one.first({ kind, id }) ?? null,
    countItems: (kind) => count.only({ kind }).total,
    asked: () => asked.all(),
    itemsBehind: (kind, id, limit) => behind.all({ kind, id, limit }),
    late: (kind) => late.all({ kind }),
    putItem: ({ content, open, isHere, isRemoved, ...rest }) =>
      database.transaction(() => {
        putItem({
          ...rest,
          content: JSON.stringify(content),
          open: JSON.stringify(open),
          isHere: isHere ? 1 : 0,
        });
        if (isRemoved === true && rest.kind === 'draft') noteRemoved({ id: rest.id });
      }),
  };
}

/** Stores reminders that other computers sent. */
function createReminded(
  database: Database,
): Pick<OfficeStore, 'remindersReadUpTo' | 'keepReminders'> {
  const readUpTo = database.query(sql.remindersReadUpTo, z.object({ upTo: z.number() }));
  const read = database.command(sql.readReminders);
  const keep = database.command(sql.keepReminder);
  const drop = database.command(sql.dropReminder);
  return {
    remindersReadUpTo: (source) => readUpTo.first({ source })?.upTo ?? 0,
    keepReminders: ({ sent, released, source, upTo }) =>
      database.transaction(() => {
        for (const one of sent) keep({ ...one });
        for (const id of released) drop({ id });
        read({ source, upTo });
      }),
  };
}

const HandedOverRow = z.object({
  id: z.string(),
  kind: HandoverKind,
  what: z.string(),
  title: z.string(),
  data: blobColumn,
  at: z.number(),
  asked: z.number().nullable(),
});

/** Stores drafts shared between computers, and items handed over to other users. */
function createSharingStore(
  database: Database,
): Pick<
  OfficeStore,
  | 'sharedDrafts'
  | 'isTogether'
  | 'setTogether'
  | 'keepVersion'
  | 'keptVersions'
  | 'given'
  | 'keepGiven'
  | 'dropGiven'
> {
  const Named = z.object({ draft: DraftId });
  const all = database.query(betweenSql.all, Named);
  const one = database.query(betweenSql.one, Named);
  const add = database.command(betweenSql.add);
  const remove = database.command(betweenSql.remove);
  const keep = database.command(betweenSql.keep);
  const given = database.query(betweenSql.given, HandedOverRow);
  const keepGiven = database.command(betweenSql.keepGiven);
  const dropGiven = database.command(betweenSql.dropGiven);
  const kept = database.query(betweenSql.kept, Named.extend({ seat: OfficeUserId }));
  return {
    sharedDrafts: () => all.all().map(({ draft }) => draft),
    isTogether: (draft) => one.first({ draft }) !== undefined,
    setTogether: (draft, isTogether) => void (isTogether ? add({ draft }) : remove({ draft })),
    keepVersion: (draft, seat, at) => void keep({ draft, seat, at }),
    keptVersions: () => kept.all(),
    given: () => given.all(),
    keepGiven: (item) => void keepGiven({ ...item }),
    dropGiven: (id) => void dropGiven({ id }),
  };
}

export function createOfficeStore(database: Database): OfficeStore {
  const membership = database.query(sql.membership, Membership);
  const join = database.command(sql.join);
  const leave = [sql.leave, sql.forgetShared, sql.forgetItems, sql.forgetDrafts].map((one) =>
    database.command(one),
  );
  const seen = database.query(sql.seen, z.object({ id: z.string(), generation: z.number() }));
  const mark = database.query(sql.mark, z.object({ mark: z.number() }));
  const reach = database.command(sql.reach);
  const former = database.query(sql.former, FormerDesks);
  const keepFormer = database.command(sql.keepFormer);
  const desks = database.query(sql.desks, DesksRow);
  const keepDesks = database.command(sql.keepDesks);
  const told = database.query(sql.told, z.object({ told: z.number() }));
  const tell = database.command(sql.tell);
  const isWithout = database.query(sql.isWithout, z.object({ found: z.number() }));
  const unclaimed = database.query(sql.unclaimed, z.object({ ref: OutboxRef }));
  const see = database.command(sql.see);
  const goWithout = database.command(sql.goWithout);
  const claimed = database.command(sql.claimed);
  return {
    membership: () => membership.first() ?? null,
    join: ({ address, goesOnWithout, ...one }) =>
      void join({
        ...one,
        address: JSON.stringify(address),
        goesOnWithout: goesOnWithout ? 1 : 0,
      }),
    leave: (alongside) =>
      database.transaction(() => {
        alongside();
        for (const one of leave) one();
      }),
    mark: () => mark.first()?.mark ?? 0,
    reach: (reached) => void reach({ mark: reached }),
    former: () => former.first()?.former ?? [],
    forgetFormer: (compared) => {
      const ids = new Set(compared.map(({ desk }) => desk));
      const left = (former.first()?.former ?? []).filter(({ desk }) => !ids.has(desk));
      keepFormer({ former: JSON.stringify(left) });
    },
    desks: () => desks.first()?.desks ?? [],
    keepDesks: (met) => void keepDesks({ desks: JSON.stringify(met) }),
    told: () => told.first()?.told ?? 0,
    tell: (desk, names) => void tell({ desk, names }),
    seen: (key, by) => seen.all({ key, by: by ?? '' }),
    see: (claim, by) => void see({ ...claim, by: by ?? '' }),
    isWithout: (ref) => isWithout.first({ ref }) !== undefined,
    goWithout: (ref) => void goWithout({ ref }),
    unclaimed: () => unclaimed.all().map(({ ref }) => ref),
    claimed: (ref) => void claimed({ ref }),
    ...createItems(database),
    ...createReminded(database),
    ...createSharingStore(database),
  };
}
