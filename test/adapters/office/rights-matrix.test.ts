// tier: all
// Runs some hundred thousand statements, which take the server half a minute of processor time.
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPrograms } from '../../support/postgres.ts';
import { mayBecome, type OperationRow, operationRows } from './matrix-operations.ts';
import {
  type Actor,
  ACTORS,
  newRows,
  type Row,
  rightsSql,
  rowsFor,
  PUT_BACK,
} from './matrix-rows.ts';
import {
  attemptAll,
  changedIn,
  choices,
  type Column,
  columnsOf,
  isGivenTime,
  prepareMatrix,
  updateOf,
  valuesFor,
} from './matrix.ts';
import { type OfficeDatabase, startOffice, type TestDesk } from './office-database.ts';

/** Columns written by triggers, not by statements. */
const SERVERS = ['moved_at', 'claimed_by', 'number', 'changed_at'];
const VIEWS = ['awaited_desk', 'lost_desk'];
/** Author columns, which must never name another user. */
const WRITERS: Readonly<Record<string, 'seat' | 'desk'>> = {
  seat: 'seat',
  desk: 'desk',
  decided_by: 'seat',
  decided_desk: 'desk',
};

const CONTENT = [
  ['sealed', `'\\x01'`],
  ['key_version', '2'],
] as const;
const TIMES = [
  ['started_at', `'2001-01-01'`],
  ['settled_at', `'infinity'`],
] as const;
/** Columns of an operation that no statement of a user may change. */
const NEVER = ['id', 'kind', 'seat', 'moved_at', 'claimed_by'];
const MORE = [
  [],
  ...[...CONTENT, ...TIMES].map((one) => [one]),
  CONTENT,
  [...CONTENT, ...TIMES],
  ...NEVER.map((name) => [[name, name] as const]),
];

interface Player {
  readonly actor: Actor;
  readonly own: TestDesk;
  readonly client: pg.Client;
  readonly rows: readonly Row[];
  readonly operations: readonly OperationRow[];
  readonly ownOperation: string;
}

describe.skipIf(postgresPrograms === null)('an office user who runs any SQL statement', () => {
  let place: OfficeDatabase;
  let [other, third]: TestDesk[] = [];
  let columns: readonly Column[] = [];
  const players: Player[] = [];

  const administrator = (sql: string) =>
    place.postgres.run(`SET search_path = signing_desk; ${sql}`, 'office');

  beforeAll(async () => {
    place = await startOffice();
    await prepareMatrix(place);
    [other, third] = [await place.addDesk(), await place.addDesk()];
    const [theOther, theThird] = [other, third];
    const past = 'SET session_replication_role = replica;';
    await administrator(`${past} INSERT INTO put_back (id, last, as_of, desk, seat)
      VALUES ('${PUT_BACK}', 0, now(), '${other.desk}', '${other.seat}')`);
    for (const actor of ACTORS) {
      const own = await place.addDesk();
      const client = await place.connect(own);
      const rows = rowsFor(own, theOther, theThird);
      const operations = operationRows(own, theOther);
      const isOwnSend = ({ kind, whose, state }: OperationRow) =>
        kind === 'send' && whose === 'own' && state === 'claimed';
      const ownOperation = operations.find(isOwnSend)?.id ?? '';
      players.push({ actor, own, client, rows, operations, ownOperation });
      const made = [...rows, ...operations].map(({ make }) => make).join('');
      await administrator(
        `${past} ${made} ${rightsSql(actor, own)} RESET session_replication_role`,
      );
    }
    const [first] = players;
    if (first !== undefined) columns = await columnsOf(first.client);
  });
  afterAll(async () => {
    await Promise.all(players.map(({ client }) => client.end()));
    await place?.remove();
  });

  const rowText = ({ table, where }: Pick<Row, 'table' | 'where'>) =>
    `SELECT matrix.look($$SELECT to_jsonb(t) FROM ${table} t WHERE ${where}$$) AS row`;
  const read = async (client: pg.Client, row: Pick<Row, 'table' | 'where'>) => {
    const { rows } = await client.query<{ row: Record<string, unknown> }>(rowText(row));
    const [found] = rows;
    if (found?.row === undefined || found.row === null) throw new Error(`No ${rowText(row)}`);
    return found.row;
  };

  /** Returns changes of each column, each pair, and all columns that the user may write. */
  function changesOf(player: Player, table: string) {
    const given = columns
      .filter((column) => column.table === table)
      .map((column) => {
        const values = valuesFor(column, player.own, other as TestDesk);
        const isUntil = column.name === 'until';
        return { ...column, values: isUntil ? values.slice(1) : values };
      });
    const each = given.flatMap(({ name, values }) =>
      values.map((value) => [[name, value] as const]),
    );
    const may = given.filter(({ mayUpdate }) => mayUpdate);
    // One time represents all times: two would double the number of mixtures.
    const mixed = may.map(({ name, type, values }) => {
      return [name, type.startsWith('timestamp') ? values.slice(-1) : values] as const;
    });
    return [...each, ...choices(mixed)];
  }

  /** Returns forbidden changes that succeeded, and permitted changes that always failed. */
  async function wrongUpdates(tables: readonly string[]): Promise<readonly string[]> {
    const [wrong, wanted, found] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const player of players) {
      for (const row of player.rows.filter(({ table }) => tables.includes(table))) {
        const before = await read(player.client, row);
        const changes = changesOf(player, row.table);
        const outcomes = await attemptAll(
          player.client,
          changes.map((change) => updateOf(row, change)),
        );
        const { change, columns: allowed = [] } = row.allowed;
        const may = change?.(player.actor) === true;
        const at = (name: string) => `${player.actor}: ${row.table}, ${row.name}: ${name}`;
        if (may) for (const name of allowed) wanted.add(at(name));
        for (const [place, outcome] of outcomes.entries()) {
          if ('refused' in outcome || outcome.rows === 0) continue;
          if (outcome.after === null) {
            wrong.add(at('hidden from itself'));
            continue;
          }
          const { after } = outcome;
          const said = JSON.stringify(changes[place]);
          for (const name of changedIn(before, after)) {
            if (SERVERS.includes(name) && row.table !== 'lease') continue;
            found.add(at(name));
            if (!may || !allowed.includes(name)) wrong.add(at(`${name} by ${said}`));
            if (isGivenTime(after[name])) wrong.add(at(`its own time in ${name}`));
            const writer = WRITERS[name];
            if (writer !== undefined && after[name] !== player.own[writer]) {
              wrong.add(at(`another ${name} by ${said}`));
            }
          }
        }
      }
    }
    return [...wrong, ...[...wanted].filter((one) => !found.has(one)).map((one) => `not ${one}`)];
  }

  async function wrongOperations(
    isAsked: (row: OperationRow, actor: Actor) => boolean = () => true,
  ): Promise<readonly string[]> {
    const wrong: string[] = [];
    const choicesFor = (own: TestDesk) => {
      const [held, far] = [other as TestDesk, third as TestDesk];
      const all: {
        set: (readonly [string, string])[];
        desk: string | null;
        state: string | null;
      }[] = [];
      for (const state of [null, 'claimed', 'done', 'unknown', 'given-up', 'released']) {
        for (const desk of [null, own.desk, held.desk, far.desk]) {
          const set: (readonly [string, string])[] = [];
          if (state !== null) set.push(['state', `'${state}'`]);
          if (desk !== null) set.push(['desk', `'${desk}'`]);
          for (const more of MORE)
            if (set.length + more.length > 0) all.push({ set: [...set, ...more], desk, state });
        }
      }
      return all;
    };
    for (const player of players.filter(({ actor }) => !/numbers|templates|invited/u.test(actor))) {
      const all = choicesFor(player.own);
      for (const row of player.operations.filter((one) => isAsked(one, player.actor))) {
        const where = `t.id = '${row.id}'`;
        const situation = { table: 'operation', name: row.whose, where };
        const before = await read(player.client, situation);
        const isHeldHere = before['desk'] === player.own.desk;
        const mayDoIt = player.actor === (row.kind === 'sign' ? 'sign' : 'send');
        const outcomes = await attemptAll(
          player.client,
          all.map(({ set }) => updateOf(situation, set)),
        );
        for (const [at, outcome] of outcomes.entries()) {
          const tried = all[at];
          if (tried === undefined) continue;
          const desk = tried.desk ?? String(before['desk']);
          const where = desk === player.own.desk ? 'own' : desk === third?.desk ? 'third' : 'held';
          const names = tried.set.map(([name]) => name);
          const isForbidden = names.some((name) => NEVER.includes(name));
          const next = {
            state: (tried.state ?? row.state) as OperationRow['state'],
            desk: where,
            hasNewContent: names.includes('sealed') || names.includes('key_version'),
          } as const;
          const said = `${player.actor}: ${row.isOld ? 'old ' : ''}${row.kind}, ${row.state}, ${
            row.whose
          }: ${JSON.stringify(tried.set)}`;
          const isDone = !('refused' in outcome) && outcome.rows > 0;
          const changed = isDone && outcome.after !== null ? changedIn(before, outcome.after) : [];
          const effect = changed.filter((name) => !SERVERS.includes(name));
          const hasNewContent = effect.some((name) => /sealed|key_version/u.test(name));
          const isAllowed =
            !isForbidden &&
            player.actor !== 'removed' &&
            mayBecome(row, { ...next, hasNewContent }, mayDoIt);
          if ((effect.length > 0 || (isDone && isForbidden)) && !isAllowed) wrong.push(said);
          if (isDone && effect.some((name) => isGivenTime(outcome.after?.[name]))) {
            wrong.push(`${said}: a time of its own`);
          }
          if (isDone && effect.some((name) => !names.includes(name) && !/_at$/u.test(name))) {
            wrong.push(`${said}: more than it says`);
          }
          const isSame = next.state === row.state && where === (isHeldHere ? 'own' : 'held');
          if (!isDone && isAllowed && !isSame && names.every((name) => /state|desk/u.test(name))) {
            wrong.push(`${said}: refused`);
          }
        }
      }
    }
    return wrong;
  }

  async function wrongInserts(tables?: readonly string[]): Promise<readonly string[]> {
    const wrong: string[] = [];
    const others = other as TestDesk;
    for (const { actor, own, client, ownOperation } of players) {
      for (const row of newRows(others, ownOperation)) {
        if (tables?.includes(row.table) === false) continue;
        const whole = { ...row.rest };
        for (const [name, what] of Object.entries(row.own)) whole[name] = `'${own[what]}'`;
        const insert = (values: Readonly<Record<string, string>>) => ({
          sql: `INSERT INTO ${row.table} (${Object.keys(values).join(', ')})
            VALUES (${Object.values(values).join(', ')})`,
          table: row.table,
          where: 'false',
        });
        const more = columns
          .filter(({ table, name }) => table === row.table && whole[name] === undefined)
          .filter(({ mayInsert }) => !mayInsert)
          .map(({ name }) => name);
        const writers = Object.entries(row.own);
        const outcomes = await attemptAll(client, [
          insert(whole),
          ...writers.map(([name, what]) => insert({ ...whole, [name]: `'${others[what]}'` })),
          ...more.map((name) => insert({ ...whole, [name]: 'NULL' })),
        ]);
        const wasDone = outcomes.map((outcome) => !('refused' in outcome) && outcome.rows > 0);
        const may = row.who(actor);
        if (wasDone[0] !== may) wrong.push(`${actor}: ${may ? 'no' : 'a'} new ${row.name}`);
        for (const [at, [name]] of writers.entries()) {
          if (wasDone[1 + at] === true)
            wrong.push(`${actor}: new ${row.name} with another ${name}`);
        }
        for (const [at, name] of more.entries()) {
          if (wasDone[1 + writers.length + at] === true) {
            wrong.push(`${actor}: new ${row.name} with ${name}`);
          }
        }
      }
    }
    return wrong;
  }

  async function wrongReadsAndRemovals(tables?: readonly string[]): Promise<readonly string[]> {
    const wrong: string[] = [];
    for (const { actor, client, rows, operations } of players) {
      const ofOperations = operations.map(({ id, whose }) => ({
        table: 'operation',
        name: whose,
        where: `t.id = '${id}'`,
        allowed: { see: () => true },
      }));
      const every = [...rows, ...ofOperations].filter(
        ({ table }) => tables?.includes(table) !== false,
      );
      for (const what of ['SELECT FROM', 'DELETE FROM'] as const) {
        const outcomes = await attemptAll(
          client,
          every.map(({ table, where }) => ({
            sql: `${what} ${table} t WHERE ${where}`,
            table,
            where,
          })),
        );
        for (const [at, { table, name, allowed }] of every.entries()) {
          const outcome = outcomes[at];
          const isDone = outcome !== undefined && !('refused' in outcome) && outcome.rows > 0;
          const given: Row['allowed'] = allowed;
          const may = (what === 'SELECT FROM' ? given.see : given.remove)?.(actor) === true;
          if (isDone !== may) wrong.push(`${actor}: ${what} ${table}, ${name}: ${String(isDone)}`);
        }
      }
    }
    return wrong;
  }

  it('is tested on every table of the office, so that new tables need rows in the matrix (SR-H1)', () => {
    const named = new Set(['operation', ...VIEWS, ...(players[0]?.rows ?? []).map((r) => r.table)]);
    expect(new Set(columns.map(({ table }) => table))).toEqual(named);
    const inserted = new Set(newRows(other as TestDesk, '').map(({ table }) => table));
    // Chunks are written only in the transaction of their handover.
    const may = columns.filter(({ mayInsert }) => mayInsert).map(({ table }) => table);
    expect(new Set(may)).toEqual(new Set([...inserted, 'handover_piece']));
  });

  it('can change only the columns that the rights permit, alone or together (SR-H1)', async () => {
    const tables = new Set((players[0]?.rows ?? []).map(({ table }) => table));
    expect(await wrongUpdates([...tables])).toEqual([]);
  });

  it('can change operations only between states that the claims allow (SR-H1)', async () => {
    expect(await wrongOperations()).toEqual([]);
  });

  it('can add rows only in the own name, of the kinds that the rights permit (SR-H1)', async () => {
    expect(await wrongInserts()).toEqual([]);
  });

  it('can read and remove only rows that the rights permit (SR-H1)', async () => {
    expect(await wrongReadsAndRemovals()).toEqual([]);
  });

  const fewOperations = () =>
    wrongOperations(
      ({ kind, isOld, whose }, actor) =>
        kind === 'send' && !isOld && whose === 'another’s' && actor === 'none',
    );
  const holes: readonly {
    readonly name: string;
    readonly plant: string;
    readonly undo: string;
    readonly found: () => Promise<readonly string[]>;
  }[] = [
    {
      name: 'the state machine of operations switched off',
      plant: 'ALTER TABLE operation DISABLE TRIGGER not_of_others',
      undo: 'ALTER TABLE operation ENABLE TRIGGER not_of_others',
      found: fewOperations,
    },
    {
      name: 'one more writable column',
      plant: `GRANT UPDATE (seat) ON operation TO PUBLIC; ALTER POLICY seat_update ON operation
        WITH CHECK (true); ALTER TABLE operation DISABLE TRIGGER not_of_others`,
      undo: `REVOKE UPDATE (seat) ON operation FROM PUBLIC; ALTER POLICY seat_update ON operation
        WITH CHECK (state = 'done' OR is_own_desk(desk));
        ALTER TABLE operation ENABLE TRIGGER not_of_others`,
      found: fewOperations,
    },
    {
      name: 'a right that updates of shared items do not check',
      plant: 'ALTER POLICY seat_update ON shared_item USING (true)',
      undo: 'ALTER POLICY seat_update ON shared_item USING (seat_may_write(kind))',
      found: () => wrongUpdates(['shared_item']),
    },
    {
      name: 'a user row whose name can be changed later',
      plant: 'ALTER POLICY seat_update ON seat USING (id = this_seat())',
      undo: `ALTER POLICY seat_update ON seat USING (id = this_seat()
        AND (joined_at IS NULL OR xmin = pg_current_xact_id()::xid))`,
      found: () => wrongUpdates(['seat']),
    },
    {
      name: 'a new row in the name of another user',
      plant: 'ALTER POLICY seat_insert ON evidence_end WITH CHECK (true)',
      undo: `ALTER POLICY seat_insert ON evidence_end
        WITH CHECK (seat = this_seat() AND is_own_desk(desk))`,
      found: () => wrongInserts(['evidence_end']),
    },
    {
      name: 'draft files that every user can read',
      plant: 'ALTER POLICY seat_select ON draft_file USING (true)',
      undo: `ALTER POLICY seat_select ON draft_file USING ((SELECT seat_may_read('draft')))`,
      found: () => wrongReadsAndRemovals(['draft_file']),
    },
  ];
  it.each(holes)(
    'is found to have too many rights with $name (SR-H1)',
    async ({ plant, undo, found }) => {
      await administrator(plant);
      const before = columns;
      columns = await columnsOf((players[0] as Player).client);
      expect(await found()).not.toEqual([]);
      await administrator(undo);
      columns = before;
      expect(await found()).toEqual([]);
    },
  );
});
