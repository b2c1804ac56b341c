// tier: all
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../electron/adapters/system/platform.ts';
import { createDesk } from '../../../electron/compose/compose.ts';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { connectDirectly } from '../../../shared/wire.ts';
import { queueNote } from '../../support/desks/cli-draft.ts';
import { connect, timesMade } from '../../support/desks/cli-home.ts';
import { withVariables } from '../../support/desks/computer.ts';
import { createHomeHere } from '../../support/desks/desk-here.ts';
import { type Keyring, startKeyring } from '../../support/keyring.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { noHostFeatures, offersNothing } from '../../support/fakes/no-host-features.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/** Timeout of the tests (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 2_400_000;
const A_PERSON_DECIDES = 7;
const YEAR = 365 * DAY;
const PASSPHRASE = 'nine pale horses ran by night';
/**
 * Parameters of a weak key derivation. The program is opened some hundred times, and the vault's
 * own test covers the normal cost.
 */
const PASSPHRASE_COST = { N: 2 ** 10, r: 8, p: 1 };

let demo: Demo;
/** Whether the tests can start a keyring: only that of Linux. */
const isLinux = process.platform === 'linux';
let keyring: Keyring | undefined;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
  if (isLinux) keyring = await startKeyring();
}, TIMEOUT_MS);
afterAll(async () => {
  await demo.close();
  await keyring?.stop();
});

/** Folders and clock of a computer, as the program sees them. */
interface Computer {
  readonly home: string;
  readonly data: string;
  /** Time by which the computer's clock is behind (ms). */
  readonly behind?: number;
}

interface Row {
  readonly ref: string;
  readonly state: string;
  readonly reason: string;
}

/** The program of one user, with one of the ways of storing credentials. */
interface Desk {
  readonly here: Computer;
  /** Queues a draft, without sending it; returns the reference of its send. */
  arm(title: string): Promise<string>;
  /**
   * Runs the outbox, so that waiting items are sent; returns the command's exit code, and the rows.
   */
  run(on?: Computer): Promise<{ readonly exit: number | null; readonly rows: readonly Row[] }>;
  remove(): Promise<void>;
}

const made = (ref: string) => timesMade(demo, ref);

async function commandLine(vault: 'keyfile' | 'keychain'): Promise<Desk> {
  const home = await createHomeHere(vault === 'keyfile' ? 'keyfile' : 'none');
  const bus = process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '';
  const here = { home: home.folder, data: home.data };
  const slow = path.join(home.folder, 'clock.mjs');
  const envOf = ({ home: of, data, behind = 0 }: Computer) => ({
    HOME: of,
    XDG_STATE_HOME: '',
    SIGNING_DESK_DATA: data,
    ...(vault === 'keychain' && { DBUS_SESSION_BUS_ADDRESS: bus, SIGNING_DESK_VAULT: 'keychain' }),
    ...(behind > 0 && {
      NODE_OPTIONS: `--import ${pathToFileURL(slow).href}`,
      CLOCK_BEHIND: String(behind),
    }),
  });
  await writeFile(slow, CLOCK);
  const on = withVariables(home, envOf(here));
  await connect(on, demo);
  return {
    here,
    arm: (title) => queueNote(on, home.folder, title),
    async run(other) {
      // After a restore, the command runs in a new process, which knows only the data on the disk.
      const begin = other === undefined ? home.with : home.apart.with;
      const { exit, stdout } = await begin(envOf(other ?? here), ['outbox', 'run', '--json']);
      const { value: found } = JSON.parse(stdout) as Printed;
      const rows = found.items.map(({ ref, state, reason }) => ({
        ref,
        state,
        reason: reason?.message ?? '',
      }));
      return { exit, rows };
    },
    remove: () => home.remove(),
  };
}

interface Printed {
  readonly value: {
    readonly items: readonly (Omit<Row, 'reason'> & { readonly reason?: { message: string } })[];
  };
}

/** Module that sets back the clock of a new process. */
const CLOCK = `const { now } = Date;
const behind = Number(process.env.CLOCK_BEHIND);
const Now = Date;
globalThis.Date = class extends Now {
  constructor(...given) { given.length === 0 ? super(now() - behind) : super(...given); }
  static now() { return now() - behind; }
};
`;

/**
 * Returns the program with a passphrase. The command line accepts no passphrase, so each step opens
 * the program directly.
 */
async function withPassphrase(): Promise<Desk> {
  const home = await createHomeHere('none');
  const here = { home: home.folder, data: home.data };
  const opened = async <Result>(
    work: (api: ReturnType<typeof connectDirectly>['api'], desk: Program) => Promise<Result>,
    { home: of, data, behind = 0 }: Computer = here,
  ): Promise<Result> => {
    const now = () => Date.now() - behind;
    const about = { version: '0', locale: 'en', platform: 'linux', documentsFolder: of } as const;
    const desk = createDesk(
      {
        dataDir: data,
        stateDir: path.join(of, 'state'),
        vault: 'keychain',
        passphraseCost: PASSPHRASE_COST,
        interactive: false,
        ...about,
        features: { describe: offersNothing, ...noHostFeatures },
      },
      { clock: { ...systemClock, now } },
    );
    const { api, emit } = connectDirectly(desk.handlers, desk.toFailure);
    desk.setEmit(emit);
    try {
      const access = await api['access.usePassphrase']({ passphrase: PASSPHRASE });
      expect(access).toMatchObject({ open: true, store: 'passphrase' });
      return await work(api, desk);
    } finally {
      await desk.close();
    }
  };
  const office = { name: 'Office', api: 'v1', url: demo.v1Url, environment: 'test' } as const;
  const connectionId = await opened(async (api) => {
    const secret = demo.credentials.token;
    const added = await api['connections.add']({ ...office, accountId: null, orgNo: null, secret });
    return added.id;
  });
  const note = await plainPdf('Note', ['A note.']);
  return {
    here,
    arm: (title) =>
      opened(async (api, desk) => {
        const content = { api: 'v1', body: bodyV1(title) } as const;
        const { id } = await api['drafts.create']({ content, connectionId: null });
        const bytes = desk.acceptBytes(note);
        const { id: file } = await api['drafts.attach']({ id, name: 'note.pdf', bytes });
        const attachments = [{ type: 'BASE64', category: 'AGREEMENT', file }] as const;
        const { revision } = await api['drafts.show']({ id });
        const body = { ...content.body, attachments: [...attachments] };
        await api['drafts.save']({
          id,
          revision,
          connectionId: null,
          content: { api: 'v1', body },
        });
        const order = { id, connectionId, holdSeconds: 10, confirm: 1 };
        return (await api['drafts.send'](order)).ref;
      }),
    run: (on) =>
      opened(async (api) => {
        for (const { ref, state } of await api['outbox.run']({})) {
          if (state === 'queued') await api['outbox.sendNow']({ ref });
        }
        const rows = await api['outbox.run']({});
        return {
          exit: null,
          rows: rows.map(({ ref, state, reason }) => ({
            ref,
            state,
            reason: reason?.message ?? '',
          })),
        };
      }, on),
    remove: () => home.remove(),
  };
}

type Program = ReturnType<typeof createDesk>;

/** Copies a folder while no process has it open; returns the folder of the copy. */
async function copyOf(folder: string): Promise<string> {
  const copy = `${folder}.copy-${String(copies++)}`;
  await cp(folder, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}
let copies = 0;

/** Restores a copy: its files replace those of the folder, or it replaces the whole folder. */
async function putBack(copy: string, folder: string, isWhole: boolean): Promise<void> {
  if (isWhole) await rm(folder, { recursive: true });
  await cp(copy, folder, { recursive: true, preserveTimestamps: true });
}

async function putBackDatabase(copy: string, folder: string): Promise<void> {
  const isOurs = (name: string) => name.startsWith('desk.db');
  const gone = (await readdir(folder)).filter(isOurs);
  await Promise.all(gone.map((name) => rm(path.join(folder, name))));
  const kept = (await readdir(copy)).filter(isOurs);
  await Promise.all(kept.map((name) => cp(path.join(copy, name), path.join(folder, name))));
}

/** Returns the folders of the external state that a computer keeps for its data folders. */
const stateOf = ({ home }: Computer) => [
  path.join(home, '.local/state/signing-desk'),
  path.join(home, 'state'),
];

/**
 * Ways to restore data from before a send. Each returns the references of the sends, and the
 * computer with the restored data, if it is another one.
 */
const ways: ReadonlyMap<string, (desk: Desk) => Promise<Restored>> = new Map([
  [
    'the database alone is restored',
    async (desk) => {
      const { refs, copy } = await sendAfterCopy(desk);
      await putBackDatabase(copy, desk.here.data);
      return { refs };
    },
  ],
  [
    'the whole folder is restored',
    async (desk) => {
      const { refs, copy } = await sendAfterCopy(desk);
      await putBack(copy, desk.here.data, true);
      return { refs };
    },
  ],
  [
    'the whole folder is restored on another computer',
    async (desk) => {
      const { refs, copy } = await sendAfterCopy(desk);
      const home = path.join(desk.here.home, 'another');
      const on = { home, data: path.join(home, 'data') };
      await mkdir(home);
      await cp(copy, on.data, { recursive: true });
      return { refs, on };
    },
  ],
  [
    'an older copy is written over the same files',
    async (desk) => {
      const { refs, copy } = await sendAfterCopy(desk);
      await desk.arm('Later');
      await desk.run();
      await putBack(copy, desk.here.data, false);
      return { refs };
    },
  ],
  [
    'a copy that is newer than what the computer remembers is written over the same files',
    async (desk) => {
      // An earlier send makes sure that external state exists.
      await desk.arm('Earlier');
      await desk.run();
      const remembered = await Promise.all(stateOf(desk.here).map(keepIfThere));
      const { refs, copy } = await sendAfterCopy(desk);
      await putBack(copy, desk.here.data, false);
      for (const [index, folder] of stateOf(desk.here).entries()) {
        const kept = remembered[index];
        if (kept !== undefined && kept !== null) await putBack(kept, folder, true);
      }
      return { refs };
    },
  ],
  [
    'the whole folder is restored and the clock set back',
    async (desk) => {
      const { refs, copy } = await sendAfterCopy(desk);
      await putBack(copy, desk.here.data, true);
      return { refs, on: { ...desk.here, behind: YEAR } };
    },
  ],
]);

interface Restored {
  readonly refs: readonly string[];
  readonly on?: Computer;
}

/** Queues two sends, copies the data folder, and then runs both sends. */
async function sendAfterCopy(desk: Desk) {
  const refs = [await desk.arm('First'), await desk.arm('Second')];
  const copy = await copyOf(desk.here.data);
  const { exit, rows } = await desk.run();
  expect(exit ?? 0).toBe(0);
  expect(rows.filter(({ state }) => state !== 'sent')).toEqual([]);
  expect(refs.map(made)).toEqual([1, 1]);
  return { refs, copy };
}

const keepIfThere = (folder: string) => copyOf(folder).catch(() => null);

const vaults = {
  keyfile: () => commandLine('keyfile'),
  keychain: () => commandLine('keychain'),
  passphrase: withPassphrase,
} as const;

/** One way of each kind for the two other vaults: external state does not depend on the vault. */
const samples = [
  'the database alone is restored',
  'the whole folder is restored on another computer',
  'a copy that is newer than what the computer remembers is written over the same files',
];
const waysWith = (vault: keyof typeof vaults): readonly string[] =>
  vault === 'keyfile' ? [...ways.keys()] : samples;

describe.each(['keyfile', 'keychain', 'passphrase'] as const)(
  'a restored data folder, protected by a %s,',
  (vault) => {
    const can = isLinux || vault !== 'keychain';
    it.runIf(can).each(waysWith(vault))(
      'sends nothing twice, and leaves each send for a person to settle, if %s (SEC-H1)',
      async (way) => {
        const desk = await vaults[vault]();
        const restore = ways.get(way);
        if (restore === undefined) throw new Error(`There is no way ${way}`);
        const { refs, on } = await restore(desk);
        const { exit, rows } = await desk.run(on ?? desk.here);
        expect(exit ?? A_PERSON_DECIDES).toBe(A_PERSON_DECIDES);
        const asked = rows.filter(({ ref }) => refs.includes(ref));
        expect(asked).toHaveLength(2);
        for (const { state, reason } of asked) {
          expect(state).toBe('unknown');
          expect(reason).toContain('restored');
        }
        expect(refs.map(made)).toEqual([1, 1]);
        await desk.remove();
      },
      TIMEOUT_MS,
    );

    it.runIf(can)(
      'leaves no outcome unknown if the program only starts again (SEC-H1)',
      async () => {
        const desk = await vaults[vault]();
        for (const title of ['One', 'Two']) {
          const ref = await desk.arm(title);
          const { exit, rows } = await desk.run();
          expect(exit ?? 0).toBe(0);
          expect(rows.find((row) => row.ref === ref)?.state ?? 'sent').toBe('sent');
          expect(made(ref)).toBe(1);
        }
        await desk.remove();
      },
      TIMEOUT_MS,
    );
  },
);

describe('a computer that cannot store external state', () => {
  it(
    'sends nothing, and shows the reason in the outbox (SEC-H1)',
    async () => {
      const desk = await commandLine('keyfile');
      const ref = await desk.arm('Kept back');
      // A file blocks the folder's path, so that no account can write there, including root.
      const [state = ''] = stateOf(desk.here);
      await rm(state, { recursive: true });
      await writeFile(state, '');
      const { rows } = await desk.run();
      expect(rows).toMatchObject([{ ref, state: 'queued' }]);
      expect(rows[0]?.reason).toMatch(/cannot save the record .*signing-desk/u);
      expect(made(ref)).toBe(0);
      await rm(state);
      await desk.remove();
    },
    TIMEOUT_MS,
  );
});
