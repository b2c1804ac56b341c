import * as z from 'zod';
import { Erasure, ForgetDraft } from '../../../../shared/contract/people.ts';
import { AgreementKey, Instant } from '../../../../shared/model/ids.ts';
import { ERASED_WORD } from '../../../../shared/rules/office/items.ts';
import type { PeopleStore, PersonTraces } from '../../../core/people/ports.ts';
import type { Database, Parameters } from '../database/database.ts';
import { wordsOf } from '../database/text-keys.ts';

/** Maximum number of erasures in the list. */
const MAX_LISTED_TRACES = 500;

const containsAnySql = (text: string, needles: string): string =>
  `EXISTS (SELECT 1 FROM json_each(@${needles}) AS needle WHERE instr(${text}, needle.value) > 0)`;

/**
 * Returns SQL for whether a text names the person: by unique identifiers, or by name plus shared
 * identifiers.
 */
export function namesPersonSql(column: string): string {
  const text = `lower(${column})`;
  const digits = `replace(replace(${column}, ' ', ''), '-', '')`;
  const name = `NOT EXISTS (
    SELECT 1 FROM json_each(@names) AS needle WHERE instr(${text}, needle.value) = 0)`;
  return `(${containsAnySql(text, 'sureTexts')} OR ${containsAnySql(digits, 'sureDigits')} OR (
    @hasName = 1 AND ${name} AND (@isNameAlone = 1
      OR ${containsAnySql(text, 'sharedTexts')} OR ${containsAnySql(digits, 'sharedDigits')})))`;
}

/** SQL for whether a batch has no unsent rows left. */
const isClosed = `
  batch.stage = 'armed' AND NOT EXISTS (
    SELECT 1 FROM outbox WHERE outbox.batch_id = batch.id AND outbox.is_open = 1)`;
const rowNamesPersonSql = `(${namesPersonSql('batch_row.cells')} OR (
  batch_row.original IS NOT NULL AND ${namesPersonSql('batch_row.original')}))`;
const closedRowsSql = `
  FROM batch JOIN batch_row ON batch_row.batch_id = batch.id
  WHERE ${isClosed} AND ${rowNamesPersonSql}`;

/** SQL for agreements that may name the person, found by their words in the search index. */
export const agreementCopiesSql = `
  FROM agreement_words AS found CROSS JOIN agreement AS a ON a.place = found.rowid
  CROSS JOIN agreement_content AS copy ON copy.number = a.number
  WHERE agreement_words MATCH @match AND ${namesPersonSql('copy.remote')}`;
const isSettled = `
  a.done_at IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM action AS d
    WHERE d.connection_id = a.connection_id AND d.agreement_id = a.id AND d.is_open = 1)
  AND NOT EXISTS (SELECT 1 FROM outbox AS o
    WHERE o.connection_id = a.connection_id AND o.remote_id = a.id AND o.is_open = 1)`;

const identityText = `(first_name || ' ' || last_name || ' ' || coalesce(person_number, '') || ' '
  || coalesce(email, '') || ' ' || coalesce(mobile, ''))`;

const sql = {
  drafts: `
    SELECT id, coalesce(content ->> '$.body.title', content ->> '$.body.name', '') AS title,
      CASE WHEN sent_as IS NOT NULL THEN 'sent' WHEN trashed_at IS NOT NULL THEN 'trashed'
        ELSE 'open' END AS state
    FROM draft
    WHERE sending IS NULL AND (${namesPersonSql('draft.content')} OR EXISTS (
      SELECT 1 FROM draft_step WHERE draft_id = draft.id AND ${namesPersonSql('draft_step.content')}))
    ORDER BY updated_at DESC, id`,
  closedRows: `SELECT count(*) AS total, count(DISTINCT batch.id) AS sheets ${closedRowsSql}`,
  openRows: `
    SELECT count(*) AS total FROM batch JOIN batch_row ON batch_row.batch_id = batch.id
    WHERE NOT (${isClosed}) AND ${rowNamesPersonSql}`,
  endedCopies: `SELECT a.connection_id AS connectionId, a.id ${agreementCopiesSql} AND ${isSettled}`,
  openCopies: `SELECT count(*) AS total ${agreementCopiesSql} AND NOT (${isSettled})`,
  handed: `SELECT count(*) AS total FROM json_each(@handed) AS given WHERE ${namesPersonSql('given.value')}`,
  groups: `
    SELECT count(DISTINCT group_id) AS total FROM group_member WHERE person_id = @id`,
  records: `
    SELECT (SELECT count(*) FROM outbox
        WHERE state <> 'staged' AND (${namesPersonSql('outbox.title')} OR ${namesPersonByNameSql('outbox.people')}))
      + (SELECT count(*) FROM action
        WHERE ${namesPersonSql('action.title')} OR (
          is_open = 1 AND goal IS NOT NULL AND ${namesPersonSql('action.goal')})) AS total`,
  evidence: `SELECT count(*) AS total FROM evidence WHERE ${namesPersonSql('evidence.entry')}`,
  archive: `
    SELECT count(*) AS total FROM archive
    WHERE ${namesPersonSql('archive.title')} OR (party_names IS NOT NULL AND ${namesPersonByNameSql('archive.party_names')})`,
  templates: `SELECT count(*) AS total FROM template WHERE ${namesPersonSql('template.content')}`,
  identities: `
    SELECT count(*) AS total FROM identity
    WHERE ${namesPersonSql(identityText)}`,
  rules: `
    SELECT (SELECT count(*) FROM archive_rule WHERE ${namesPersonSql('rule')})
      + (SELECT count(*) FROM reminder_rule WHERE ${namesPersonSql('rule')})
      + (SELECT count(*) FROM intake_rule WHERE ${namesPersonSql('rule')}) AS total`,
  backups: `
    SELECT count(*) AS total FROM backup WHERE good IS NOT NULL`,
  // The draft is also noted under its origin ID, which is the same on all computers: another copy
  // may exist under that ID.
  noteDraft: `
    INSERT INTO removed_item (kind, id, forgotten_at)
    SELECT 'draft', named.value, @at FROM draft, json_each(json_array(draft.id, draft.origin)) AS named
    WHERE draft.id = @draft AND draft.sending IS NULL AND named.value IS NOT NULL
    ON CONFLICT (kind, id) DO UPDATE SET forgotten_at = excluded.forgotten_at`,
  removeDraft: 'DELETE FROM draft WHERE id = @draft AND sending IS NULL',
  eraseFiles: `
    UPDATE batch SET data = x'' WHERE id IN (SELECT batch.id ${closedRowsSql}) AND data <> x''`,
  eraseRows: `
    UPDATE batch_row SET original = NULL, marks = '[]', failure = NULL,
      cells = (SELECT json_group_array('') FROM json_each(batch_row.cells))
    WHERE (batch_id, number) IN (SELECT batch_row.batch_id, batch_row.number ${closedRowsSql})`,
  eraseChoices: `
    UPDATE group_member SET choices = NULL
    WHERE person_id IS NOT NULL AND choices IS NOT NULL AND ${namesPersonSql('group_member.choices')}`,
  // The goal of an action is needed until its outcome is known.
  eraseGoals: `
    UPDATE action SET goal = NULL WHERE is_open = 0 AND goal IS NOT NULL AND ${namesPersonSql('action.goal')}`,
  // Saved views whose name or search text names the person.
  eraseViews: `
    UPDATE setting SET value = (
      SELECT json_group_array(json(view.value)) FROM json_each(setting.value) AS view
      WHERE NOT (${namesPersonSql('view.value')}))
    WHERE name = 'agreementViews' AND ${namesPersonSql('setting.value')}`,
  // Replaces the last known office content, so that it differs from the local content and the
  // erasure is sent to the office. Skips drafts that stay and name the person, since the drafts
  // themselves contain no less.
  eraseShared: `
    UPDATE office_item SET open = '[]', content = CASE
      WHEN kind = 'draft' AND json_type(content) = 'object' THEN json_object('erased', json('true'),
        'service', content -> '$.service', 'sendingAt', content -> '$.sendingAt')
      ELSE '"${ERASED_WORD}"' END
    WHERE (kind IN ('person', 'number') AND id = @id) OR (${namesPersonSql('office_item.content')}
      AND NOT (kind = 'draft' AND EXISTS (
        SELECT 1 FROM draft WHERE draft.id = office_item.id AND ${namesPersonSql('draft.content')})))`,
  removePerson: 'DELETE FROM person WHERE id = @id',
  // Deleted words stay in a full-text index until its segments are merged.
  mergePeople: `INSERT INTO person_words (person_words) VALUES ('optimize')`,
  mergeCopies: `INSERT INTO agreement_words (agreement_words) VALUES ('optimize')`,
  note: `
    INSERT INTO erasure (at, people, drafts, batch_rows, sheets, copies)
    VALUES (@at, @people, @drafts, @batchRows, @sheets, @copies)`,
  noteId: `
    INSERT INTO forgotten_person (id, at) VALUES (@id, @at)
    ON CONFLICT (id) DO UPDATE SET at = excluded.at`,
  forgottenAt: 'SELECT at FROM forgotten_person WHERE id = @id',
  erasures: `
    SELECT at, people, drafts, batch_rows AS batchRows, sheets, copies FROM erasure
    ORDER BY number DESC LIMIT ${String(MAX_LISTED_TRACES)}`,
};

/**
 * Returns SQL that matches by name only: lists of names contain nothing else that identifies a
 * person.
 */
export function namesPersonByNameSql(column: string): string {
  return `(@hasName = 1 AND NOT EXISTS (
    SELECT 1 FROM json_each(@names) AS needle WHERE instr(lower(${column}), needle.value) = 0))`;
}

const Total = z.object({ total: z.number().int() });

export function createErasure(
  database: Database,
): Pick<PeopleStore, 'traces' | 'erase' | 'erasures' | 'forgottenAt'> {
  const forgotten = database.query(sql.forgottenAt, z.object({ at: Instant }));
  // Statements are prepared on demand, since erasures are rare.
  const count = (statement: string, parameters: Parameters): number =>
    database.query(statement, Total).only(usedParameters(statement, parameters)).total;
  const run = (statement: string, parameters: Parameters): number =>
    database.command(statement)(usedParameters(statement, parameters));
  const rowsOf = (parameters: Parameters) =>
    database
      .query(sql.closedRows, Total.extend({ sheets: z.number().int() }))
      .only(usedParameters(sql.closedRows, parameters));
  const find: PeopleStore['traces'] = (id, traces, handed) => {
    const asked = { id, ...parametersOf(traces), handed: JSON.stringify(handed) };
    const rows = rowsOf(asked);
    const ended = database
      .query(sql.endedCopies, AgreementKey)
      .all(usedParameters(sql.endedCopies, asked));
    return {
      drafts: [...database.query(sql.drafts, ForgetDraft).all(usedParameters(sql.drafts, asked))],
      batchRows: rows.total,
      sheets: rows.sheets,
      endedCopies: ended,
      groups: count(sql.groups, asked),
      stays: {
        openCopies: count(sql.openCopies, asked),
        openRows: count(sql.openRows, asked),
        handed: count(sql.handed, asked),
        records: count(sql.records, asked),
        evidence: count(sql.evidence, asked),
        archive: count(sql.archive, asked),
        templates: count(sql.templates, asked),
        identities: count(sql.identities, asked),
        rules: count(sql.rules, asked),
        backups: count(sql.backups, asked),
      },
    };
  };
  return {
    traces: find,
    erase: ({ id, traces, drafts, at }, also) =>
      // `secure_delete` overwrites the space that this frees, as for every deletion in the data
      // file.
      database.transaction(() => {
        const asked = { id, ...parametersOf(traces) };
        const { sheets } = rowsOf(asked);
        run(sql.eraseFiles, asked);
        const batchRows = run(sql.eraseRows, asked);
        run(sql.eraseChoices, asked);
        run(sql.eraseGoals, asked);
        run(sql.eraseViews, asked);
        for (const draft of drafts) run(sql.noteDraft, { draft, at });
        const removed = drafts.reduce((sum, draft) => sum + run(sql.removeDraft, { draft }), 0);
        run(sql.eraseShared, asked);
        const people = run(sql.removePerson, asked);
        const copiesGone = also();
        run(sql.mergePeople, {});
        if (copiesGone > 0) run(sql.mergeCopies, {});
        const done = { at, people, drafts: removed, batchRows, sheets, copies: copiesGone };
        run(sql.note, done);
        run(sql.noteId, { id, at });
        return done;
      }),
    erasures: () => database.query(sql.erasures, Erasure.extend({ at: Instant })).all(),
    forgottenAt: (id) => forgotten.first({ id })?.at ?? null,
  };
}

export function parametersOf({ sure, shared, names: name }: PersonTraces): Parameters {
  const isSure = sure.texts.length + sure.digits.length > 0;
  const isShared = shared.texts.length + shared.digits.length > 0;
  return {
    sureTexts: JSON.stringify(sure.texts),
    sureDigits: JSON.stringify(sure.digits),
    sharedTexts: JSON.stringify(shared.texts),
    sharedDigits: JSON.stringify(shared.digits),
    names: JSON.stringify(name),
    hasName: name.length > 0 ? 1 : 0,
    isNameAlone: isSure || isShared ? 0 : 1,
    match: matchOf([name.join(' '), ...sure.texts, ...shared.texts]),
  };
}

/** Returns a search query for every word of any text; an empty query matches nothing. */
function matchOf(texts: readonly string[]): string {
  const each = texts.flatMap((text) => {
    const words = wordsOf(text);
    return words.length === 0 ? [] : `(${words.map((word) => `"${word}"`).join(' AND ')})`;
  });
  return each.length === 0 ? '""' : each.join(' OR ');
}

/** Returns the parameters that a statement uses; SQLite rejects others. */
export function usedParameters(statement: string, parameters: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).filter(([name]) => new RegExp(`@${name}\\b`).test(statement)),
  );
}
