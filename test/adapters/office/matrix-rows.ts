import { randomUUID } from 'node:crypto';
import type { TestDesk } from './office-database.ts';
import type { Situation } from './matrix.ts';

export const ACTORS = [
  'none',
  'send',
  'sign',
  'numbers',
  'templates',
  'invited',
  'removed',
] as const;
/** A user with one right (or none), or in one state. */
export type Actor = (typeof ACTORS)[number];
export type Who = (actor: Actor) => boolean;

export const nobody: Who = () => false;
/** Whether the user was not removed. */
export const present: Who = (actor) => actor !== 'removed';
/**
 * True for every user. A removed user also loses the role in the same transaction; these rights
 * are those that remain if only the time of the removal is set.
 */
export const all: Who = () => true;
export const has =
  (...rights: readonly Actor[]): Who =>
  (actor) =>
    rights.includes(actor);

export const rightsSql = (actor: Actor, { seat }: TestDesk): string => `
  UPDATE seat SET may_send = ${String(actor === 'send')}, may_sign = ${String(actor === 'sign')},
    may_see_numbers = ${String(actor === 'numbers')},
    may_change_templates = ${String(actor === 'templates')},
    joined_at = ${actor === 'invited' ? 'NULL' : 'clock_timestamp()'},
    removed_at = ${actor === 'removed' ? 'clock_timestamp()' : 'NULL'}
  WHERE id = '${seat}';`;

/** Permitted changes of an existing row; any other change is forbidden. */
export interface Allowed {
  readonly see?: Who;
  readonly remove?: Who;
  readonly change?: Who;
  /** Changed columns: each of these, together or alone. */
  readonly columns?: readonly string[];
}

export interface Row extends Situation {
  readonly allowed: Allowed;
  /** SQL that creates the row, run as the administrator with triggers disabled. */
  readonly make: string;
}

const ITEM_KINDS = ['person', 'number', 'group', 'view', 'template', 'reminder-rule', 'draft'];
const bytes = (): string => `decode('${randomUUID().replaceAll('-', '').repeat(2)}', 'hex')`;

/** Returns which users may write a shared item of this kind. */
export const writesItem = (kind: string): Who =>
  ({
    number: has('numbers'),
    draft: has('numbers'),
    template: has('templates'),
    'reminder-rule': has('send'),
  })[kind] ?? present;
/** Returns which users may take a task of this kind. */
export const takesTask = (kind: string): Who =>
  ({ remind: has('send'), draft: has('numbers') })[kind] ?? present;

/** Returns rows of every table. `own` tries the changes; `other` and `third` have own rows. */
export function rowsFor(own: TestDesk, other: TestDesk, third: TestDesk): readonly Row[] {
  const rows: Row[] = [];
  const add = (table: string, name: string, allowed: Allowed, where: string, make = ''): void =>
    void rows.push({ table, name, allowed, where, make });
  const made = (
    table: string,
    name: string,
    allowed: Allowed,
    { by, values }: { readonly by?: string; readonly values: Readonly<Record<string, string>> },
  ): void => {
    const key = by ?? 'id';
    const columns: Readonly<Record<string, string>> = {
      ...(by === undefined && { id: `'${randomUUID()}'` }),
      ...values,
    };
    const make = `INSERT INTO ${table} (${Object.keys(columns).join(', ')})
      VALUES (${Object.values(columns).join(', ')});`;
    add(table, name, allowed, `t.${key} = ${columns[key] ?? ''}`, make);
  };
  const sealed = { sealed: "''", key_version: '1' };
  const of = (who: TestDesk) => ({ desk: `'${who.desk}'`, seat: `'${who.seat}'` });
  const from = (who: TestDesk) => ({ from_desk: `'${who.desk}'`, from_seat: `'${who.seat}'` });

  for (const table of ['office', 'schema_version', 'change_number', 'this_database']) {
    add(table, 'the only one', { see: all }, 'true');
  }
  // Only triggers write the numbers of rows of a user.
  for (const [name, who] of [
    ['own', own],
    ['another', other],
  ] as const) {
    for (const [table, values] of [
      ['seat_use', '1, 1'],
      ['seat_turn', `'approval', 1`],
    ] as const) {
      const make = `INSERT INTO ${table} VALUES ('${who.seat}', ${values}) ON CONFLICT DO NOTHING;`;
      add(table, name, {}, `t.seat = '${who.seat}'`, make);
    }
  }
  const removal = { by: 'seat', values: { seat: `'${randomUUID()}'` } };
  made('seat_removal', 'of a third', { see: all }, removal);
  const joins = { change: has('invited'), columns: ['joined_at', 'sealed', 'key_version'] };
  add('seat', 'own', { see: all, ...joins }, `t.id = '${own.seat}'`);
  add('seat', 'another', { see: all }, `t.id = '${other.seat}'`);
  for (const who of [own, other]) {
    const isOwn = who === own;
    add(
      'office_key',
      isOwn ? 'own' : 'another',
      isOwn ? { see: present, change: present, columns: ['wrapped'] } : {},
      `t.seat = '${who.seat}' AND t.version = 1`,
      `INSERT INTO office_key VALUES (1, '${who.seat}', '') ON CONFLICT DO NOTHING;`,
    );
  }
  const visits = ['version', 'seen_at', 'mark', 'brought_back'];
  add('desk', 'own', { see: all, change: present, columns: visits }, `t.id = '${own.desk}'`);
  add('desk', 'another', { see: all }, `t.id = '${other.desk}'`);
  for (const who of [own, other]) {
    const name = who === own ? 'own' : 'another';
    const operation = randomUUID();
    const key = bytes();
    add(
      'claim',
      name,
      { see: all },
      `t.key = ${key}`,
      `INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
        VALUES ('${operation}', 'send', '${who.desk}', '${who.seat}', 'claimed', '', 1);
       INSERT INTO claim VALUES (${key}, 1, '${operation}');`,
    );
    const report = { batch: `'${randomUUID()}'`, ...of(who), ...sealed };
    const changes = { change: present, remove: present, columns: ['sealed', 'key_version', 'at'] };
    const ofBatch = { see: all, ...(who === own && changes) };
    made('batch_progress', name, ofBatch, { by: 'batch', values: report });
    const end = { log: `'${randomUUID()}'`, entries: '1', hash: "'h'", ...of(who) };
    made('evidence_end', name, { see: all }, { by: 'log', values: end });
    for (const table of ['put_back_missing', 'put_back_excused']) {
      const which = table === 'put_back_missing' ? 'missing' : 'excused';
      const lost = { of_seat: `'${third.seat}'`, role: "'r'", seen_at: 'now()' };
      const values = {
        put_back: `'${PUT_BACK}'`,
        [which]: `'${randomUUID()}'`,
        ...(which === 'missing' && lost),
        ...of(who),
      };
      made(table, name, { see: all }, { by: which, values });
    }
  }
  add('put_back', 'the newest', { see: all }, `t.id = '${PUT_BACK}'`);
  for (const kind of ITEM_KINDS) {
    const values = { kind: `'${kind}'`, version: '1', ...sealed, ...of(other) };
    const server = { number: '(SELECT coalesce(min(number), 0) - 1 FROM shared_item)' };
    const see = kind === 'number' || kind === 'draft' ? has('numbers') : present;
    const columns = ['version', 'sealed', 'key_version', 'desk', 'seat'];
    const allowed = { see, change: writesItem(kind), columns };
    const whole = { ...values, ...server, changed_at: 'now()' };
    made('shared_item', `${kind} of another`, allowed, { values: whole });
  }
  const piece = { place: '0', pieces: '1', ...sealed };
  const files = { by: 'file', values: { file: bytes(), ...piece } };
  made('shared_file', 'a piece', { see: all }, files);
  const draftFile = { draft: `'${randomUUID()}'`, file: bytes(), ...piece };
  const byNumbers = { see: has('numbers'), remove: has('numbers') };
  made('draft_file', 'a piece', byNumbers, { by: 'draft', values: draftFile });
  for (const [name, by, to] of [
    ['given', own, other],
    ['received', other, own],
    ['between others', other, third],
  ] as const) {
    for (const taken of ['NULL', "'2020-01-01'"]) {
      const id = randomUUID();
      const isWaiting = taken === 'NULL';
      const mine = name !== 'between others';
      const values = {
        id: `'${id}'`,
        kind: "'draft'",
        what: `'${randomUUID()}'`,
        revision: '1',
        ...from(by),
        to_seat: `'${to.seat}'`,
        ...sealed,
        pieces: '1',
        taken_at: taken,
      };
      const take = { change: present, columns: ['taken_at'] };
      const allowed = mine ? { see: present, ...(isWaiting && take) } : {};
      made('handover', `${name}, ${isWaiting ? 'waiting' : 'taken'}`, allowed, {
        by: 'id',
        values,
      });
      if (!isWaiting) continue;
      const pieces = { handover: `'${id}'`, place: '0', sealed: "''" };
      const ofPiece = mine ? { see: present } : {};
      made('handover_piece', name, ofPiece, { by: 'handover', values: pieces });
    }
  }
  for (const kind of ['archive', 'intake', 'remind', 'draft']) {
    for (const [name, who, until] of [
      ['own', own, "now() + interval '10 minutes'"],
      ['another’s', other, "now() + interval '10 minutes'"],
      ['over', other, "'-infinity'"],
    ] as const) {
      const task = { task: bytes(), kind: `'${kind}'`, number: '5', ...of(who), ...sealed, until };
      const take = ['number', 'desk', 'seat', 'sealed', 'key_version', 'taken_at', 'until'];
      const columns = name === 'own' ? take.filter((one) => !/^(?:desk|seat)$/u.test(one)) : take;
      const change = { change: takesTask(kind), columns };
      const allowed = { see: all, ...(name !== 'another’s' && change) };
      made('lease', `${kind}, ${name}`, allowed, { by: 'task', values: task });
    }
  }
  for (const who of [own, other]) {
    const name = who === own ? 'own' : 'another’s';
    const decide = {
      change: has('sign'),
      columns: ['decided_by', 'decided_desk', 'decision', 'decision_key', 'decided_at'],
    };
    const open = { see: present, ...(who === other && decide) };
    made('approval', `${name}, open`, open, { values: { ...from(who), ...sealed } });
    const decided = {
      decided_by: `'${third.seat}'`,
      decided_desk: `'${third.desk}'`,
      decision: "''",
      decision_key: '1',
      decided_at: 'now()',
    };
    const whole = { ...from(who), ...sealed, ...decided };
    made('approval', `${name}, decided`, { see: present }, { values: whole });
  }
  return rows;
}

export const PUT_BACK = '00000000-0000-4000-8000-000000000001';

/** A row added by a user: the author columns, and the rest. */
export interface NewRow {
  readonly table: string;
  readonly name: string;
  readonly who: Who;
  /** Author columns that must all name the user. */
  readonly own: Readonly<Record<string, 'seat' | 'desk'>>;
  readonly rest: Readonly<Record<string, string>>;
}

export function newRows(other: TestDesk, ownOperation: string): readonly NewRow[] {
  const sealed = { sealed: "''", key_version: '1' };
  const by = { desk: 'desk', seat: 'seat' } as const;
  const from = { from_desk: 'desk', from_seat: 'seat' } as const;
  const id = { id: 'gen_random_uuid()' };
  const rows: NewRow[] = [];
  const add = (
    table: string,
    who: Who,
    writer: NewRow['own'],
    rest: NewRow['rest'],
    name = table,
  ): void => void rows.push({ table, name, who, own: writer, rest });
  add('desk', present, { seat: 'seat' }, { ...id, version: "'1'" });
  const lost = { put_back: `'${PUT_BACK}'`, missing: 'gen_random_uuid()', role: "'r'" };
  const missing = { ...lost, of_seat: `'${other.seat}'`, seen_at: 'now()' };
  add('put_back_missing', present, by, missing);
  const excused = { put_back: `'${PUT_BACK}'`, excused: 'gen_random_uuid()' };
  add('put_back_excused', has('send'), by, excused);
  for (const kind of ['send', 'sign', 'remind', 'remove', 'change']) {
    const rest = { ...id, kind: `'${kind}'`, state: "'claimed'", ...sealed };
    add('operation', has(kind === 'sign' ? 'sign' : 'send'), by, rest, `operation, ${kind}`);
  }
  const claim = { key: bytes(), generation: '1', operation: `'${ownOperation}'` };
  add('claim', has('send'), {}, claim);
  for (const kind of ITEM_KINDS) {
    const rest = { ...id, kind: `'${kind}'`, version: '1', ...sealed };
    add('shared_item', writesItem(kind), by, rest, `shared_item, ${kind}`);
  }
  const piece = { file: bytes(), place: '0', pieces: '1', ...sealed };
  add('shared_file', has('templates'), {}, piece);
  add('draft_file', has('numbers'), {}, { draft: 'gen_random_uuid()', ...piece });
  add('batch_progress', present, by, { batch: 'gen_random_uuid()', ...sealed });
  add('handover', present, from, {
    ...id,
    kind: "'draft'",
    what: 'gen_random_uuid()',
    revision: '1',
    to_seat: `'${other.seat}'`,
    ...sealed,
    pieces: '1',
  });
  add('evidence_end', present, by, { log: "'l'", entries: '1', hash: "'h'" });
  add('approval', present, from, { ...id, ...sealed });
  for (const kind of ['archive', 'intake', 'remind', 'draft']) {
    const rest = { task: bytes(), kind: `'${kind}'`, number: '1', ...sealed, until: 'now()' };
    add('lease', takesTask(kind), by, rest, `lease, ${kind}`);
  }
  return rows;
}
