import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Demo } from '../../../electron/demo/start.ts';
import { at } from '../../support/desks/reminding.ts';
import { cliHome, OFFICE_AND_OLD } from '../../support/desks/cli-home.ts';
import type { HomeHere } from '../../support/desks/desk-here.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;

/** Sets the clock of the program and of the service. */
const goTo = (wall: string) => vi.useFakeTimers({ toFake: ['Date'], now: at(wall) });

beforeAll(async () => {
  goTo('2026-11-24 10:00');
  const about = { connections: OFFICE_AND_OLD, environment: 'production' } as const;
  const now = () => Date.now();
  ({ demo, home, close } = await cliHome({ ...about, now, isSynced: true }));
});
afterAll(async () => {
  vi.useRealTimers();
  await close();
});

const RULES = ['reminders', 'rules'] as const;
const notified = () => demo.requests.filter(({ url }) => url.endsWith('/notify'));
interface Planned {
  readonly id: string;
  readonly title: string;
  readonly party: string;
  readonly at: string;
  readonly count: number;
}
const planned = async (day: string, ...more: string[]) => {
  const value = await home.value(['reminders', 'preview', '--day', day, ...more]);
  return value['planned'] as readonly Planned[];
};

describe('desk reminders', () => {
  it('saves rules, changes only the given settings, and turns rules on and off', async () => {
    const hours = ['--hours', '09:00-16:00', '--zone', 'Europe/Stockholm', '--country', 'SE'];
    const { rule } = await home.value([
      ...[...RULES, 'add', 'All', '--first', '2', '--every', '2', '--max', '2', '--everyone'],
      ...hours,
    ]);
    expect(rule).toMatchObject({ name: 'All', isOn: true, filter: { ownOnly: false } });
    const edited = await home.value([...RULES, 'edit', 'All', '--tag', 'a=b', '--max', '4']);
    expect(edited['rule']).toMatchObject({ most: 4, everyDays: 2, filter: { tag: 'a=b' } });
    await home.value([...RULES, 'off', 'All']);
    const { items } = await home.value([...RULES, 'list']);
    expect(items).toMatchObject([{ name: 'All', state: 'off', due: 0, next: null }]);
    await home.value([...RULES, 'remove', 'All']);
    await home.value([
      ...[...RULES, 'add', 'All', '--first', '2', '--every', '2', '--max', '2', '--everyone'],
      ...hours,
    ]);
  });

  it('refuses a rule with invalid hours, an unknown time zone or an unknown country', async () => {
    const add = [...RULES, 'add', 'Odd', '--hours', '16:00-09:00', '--zone', 'Europe/Nowhere'];
    const { exit, document } = await home.json(add);
    expect(exit).toBe(3);
    expect(document).toMatchObject({
      error: { fields: { 'hours.to': expect.any(String), 'hours.zone': expect.any(String) } },
    });
    expect((await home.json([...RULES, 'add', 'Odd', '--country', 'US'])).exit).toBe(2);
  });

  it('previews who is reminded, who is not and why, and names agreements of API v2', async () => {
    const value = await home.value(['reminders', 'preview']);
    expect(value['day']).toBe('2026-11-25');
    expect((value['held'] as unknown[]).length).toBeGreaterThan(0);
    expect(value['unable']).toMatchObject([{ connection: 'Old' }]);
    const [first] = await planned('2026-11-24');
    expect(first).toMatchObject({ count: 1, at: new Date(at('2026-11-24 10:00')).toISOString() });
    const { stdout } = await home.desk(['reminders', 'preview', '--day', '2026-11-24']);
    expect(stdout).toMatch(/^2026-11-24: \d+ parties would be reminded\.\n/);
    expect(stdout).toContain('API v2 cannot send an invitation again');
  });

  it('counts the open agreements that a rule’s conditions exclude', async () => {
    await home.value([...RULES, 'add', 'Tagged', '--tag', 'office=none', '--everyone']);
    const value = await home.value(['reminders', 'preview', '--rule', 'Tagged']);
    expect(value).toMatchObject({ planned: [], heldCount: 0, outside: expect.any(Number) });
    const outside = Number(value['outside']);
    expect(outside).toBeGreaterThan(1);
    const { stdout } = await home.desk(['reminders', 'preview', '--rule', 'Tagged']);
    expect(stdout).toContain(`The conditions exclude ${String(outside)} open agreements.`);
    await home.value([...RULES, 'remove', 'Tagged']);
    expect((await home.value(['reminders', 'preview']))['outside']).toBe(0);
  });

  it('reminds the previewed people, and each of them once', async () => {
    const before = await planned('2026-11-24');
    const held = before[0]?.id ?? '';
    await home.value(['reminders', 'exclude', held]);
    const { items } = await home.value(['reminders', 'exclusions', held]);
    expect(items).toEqual([{ partyId: null, because: 'switched-off' }]);
    const rest = before.filter(({ id }) => id !== held);
    expect(rest.length).toBeGreaterThan(0);
    const { reminders } = await home.value(['run-due']);
    expect(reminders).toMatchObject({ failed: [], unknown: [], stopped: [] });
    const reminded = (reminders as { reminded: readonly { id: string }[] }).reminded;
    expect(reminded.map(({ id }) => id).toSorted()).toEqual(rest.map(({ id }) => id).toSorted());
    expect(notified()).toHaveLength(rest.length);
    goTo('2026-11-24 15:00');
    expect(await home.value(['run-due'])).toEqual({ ran: [] });
    goTo('2026-11-25 10:00');
    await home.value(['run-due']);
    expect(notified().filter(({ url }) => url.includes(rest[0]?.id ?? ''))).toHaveLength(1);
    const again = await planned('2026-11-26');
    expect(again.map(({ id }) => id)).toContain(rest[0]?.id);
    await home.value(['reminders', 'include', held]);
    expect((await planned('2026-11-25')).map(({ id }) => id)).toContain(held);
    await home.value(['reminders', 'exclude', held]);
  });

  it('ends with exit code 7 after a lost answer, and does not send the reminder again', async () => {
    goTo('2026-11-26 10:00');
    const fault = demo.fault({ path: /\/notify$/, do: { kind: 'reset-after' } });
    const before = notified().length;
    const { exit, document } = await home.json(['run-due']);
    fault.clear();
    expect(exit).toBe(7);
    expect(document).toMatchObject({ value: { reminders: { unknown: [expect.anything()] } } });
    const sent = notified().length;
    expect(sent).toBeGreaterThan(before);
    vi.setSystemTime(Date.now() + HOUR);
    await home.value(['run-due']);
    expect(notified()).toHaveLength(sent);
  });

  it('reminds and archives in one call, and reports both in one document', async () => {
    const folder = path.join(home.folder, 'archive');
    await home.value(['archive', 'schedule', 'add', 'Now', '--on-completion', '--to', folder]);
    goTo('2026-11-27 10:00');
    const value = await home.value(['run-due']);
    expect(value['ran']).toMatchObject([{ name: 'Now', failed: [] }]);
    await home.value(['archive', 'schedule', 'off', 'Now']);
    expect(await home.value(['run-due'])).toEqual({ ran: [] });
    await home.value(['archive', 'schedule', 'on', 'Now']);
    expect((await home.value(['run-due']))['ran']).toHaveLength(1);
  });
});
