import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../electron/demo/start.ts';
import { cliHome } from '../support/desks/cli-home.ts';
import type { HomeHere } from '../support/desks/desk-here.ts';

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({ connections: { Old: 'v2' }, isSynced: true }));
});
afterAll(() => close());

const ACCEPT = '--accept-doubtful-numbers';
const MISTYPED = '559999-0009';
const MISTYPED_PERSON = '19850709-9806';

/** Runs a command that is refused, and returns what the user reads. */
async function refusal(args: readonly string[]): Promise<string> {
  const { exit, stderr } = await home.desk(args);
  expect(exit).toBe(3);
  return stderr;
}

describe('a number whose check digit does not match, on the command line', () => {
  it('is refused for a signing person with the name of its option, and used if it is accepted', async () => {
    const add = ['identities', 'add', 'karin', '--first', 'Karin', '--last', 'Lind'];
    const numbers = ['--person-no', MISTYPED_PERSON, '--org-no', MISTYPED];
    const told = await refusal([...add, ...numbers]);
    expect(told).toMatch(/--person-no: The check digit does not match.*--org-no: The check digit/);
    expect(told).toContain(ACCEPT);
    expect(told).not.toContain('9806');
    expect(await home.value(['identities', 'list'])).toEqual({ items: [] });
    expect(await home.value([...add, ...numbers, ACCEPT])).toMatchObject({ orgNo: MISTYPED });
  });

  it('is refused for a rejection, and nothing is sent', async () => {
    const before = demo.requests.length;
    const open = demo.agreements.v2().find(({ status }) => status === 'POSTED');
    const reject = ['agreements', 'reject', `Old:${open?.referenceNumber ?? ''}`];
    const who = ['--party-type', 'PRIVATE', '--person-no', MISTYPED_PERSON, '--confirm', '1'];
    expect(await refusal([...reject, ...who])).toContain('--person-no: The check digit');
    expect(demo.requests).toHaveLength(before);
  });

  it('is refused for a new connection, and nothing is stored', async () => {
    const add = ['connections', 'add', 'New', '--api', 'v2', '--url', demo.v2Url, '--account', '1'];
    expect(await refusal([...add, '--org-no', MISTYPED])).toContain('--org-no: The check digit');
    expect((await home.value(['connections', 'list']))['items']).toHaveLength(1);
  });
});

describe('our organisation number in a connection', () => {
  it('can be changed, which is refused for a doubtful number that is not accepted', async () => {
    const change = ['connections', 'org-no', 'Old'];
    expect(await refusal([...change, MISTYPED])).toContain('--org-no: The check digit');
    expect(await home.value([...change, MISTYPED, ACCEPT])).toMatchObject({ orgNo: MISTYPED });
    expect(await refusal([...change, 'abc', ACCEPT])).toContain('has no digits');
    const { stdout, stderr } = await home.desk(['signing', 'list']);
    expect(stdout).toContain('No agreements are waiting');
    expect(stderr).toMatch(/Old: \d+ agreements name other organisation numbers: .*5599990008/);
    expect(stderr).toContain('connections org-no');
    await home.value([...change, demo.company.orgNo]);
    const corrected = await home.desk(['signing', 'list']);
    expect(corrected.stdout).toContain(demo.company.name);
    expect(corrected.stderr).not.toContain('organisation number');
  });

  it('is not removed by an empty value, such as an unset variable of a script, but by --remove', async () => {
    const change = ['connections', 'org-no', 'Old'];
    await home.value([...change, demo.company.orgNo]);
    for (const empty of [[], [''], ['   ']]) {
      const { exit, stderr } = await home.desk([...change, ...empty]);
      expect([exit, stderr]).toEqual([2, expect.stringContaining('--remove')]);
    }
    const both = await home.desk([...change, demo.company.orgNo, '--remove']);
    expect([both.exit, both.stderr]).toEqual([2, expect.stringContaining('--remove')]);
    const stored = async () => (await home.value(['connections', 'list']))['items'];
    expect(await stored()).toMatchObject([{ orgNo: demo.company.orgNo }]);
    await home.value([...change, '--remove']);
    expect(await stored()).not.toMatchObject([{ orgNo: expect.anything() }]);
  });

  it('is refused for a new connection if it is empty, with the name of the option', async () => {
    const add = ['connections', 'add', 'New', '--api', 'v2', '--url', demo.v2Url, '--account', '1'];
    const { exit, stderr } = await home.desk([...add, '--org-no', ' ']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('--org-no')]);
    expect(await home.value(['connections', 'list'])).toMatchObject({ items: [{ name: 'Old' }] });
  });
});
