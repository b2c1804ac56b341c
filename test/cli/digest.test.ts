import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Demo } from '../../electron/demo/start.ts';
import { redact } from '../../shared/rules/text/mask.ts';
import { cliHome } from '../support/desks/cli-home.ts';
import type { HomeHere } from '../support/desks/desk-here.ts';
import { DAY } from '../../shared/rules/time/units.ts';

const BEGIN = Date.UTC(2026, 10, 24, 12);

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;

const goTo = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now });

beforeAll(async () => {
  goTo(BEGIN);
  const now = () => Date.now();
  ({ demo, home, close } = await cliHome({ now, environment: 'production', isSynced: true }));
  await home.value(['run-due']);
});
afterAll(async () => {
  vi.useRealTimers();
  await close();
});

describe('desk summary', () => {
  it('lists the newly revoked agreements on every call', async () => {
    const { items } = (await home.value(['agreements', 'list', '--state', 'waiting'])) as {
      items: readonly { readonly id: string; readonly title: string }[];
    };
    const [first] = items;
    if (first === undefined) throw new Error('Nothing waits');
    await home.value(['agreements', 'revoke', first.id, '--confirm', '1']);
    for (const _ of [1, 2]) {
      expect(await home.value(['summary'])).toMatchObject({
        counts: { revoked: 1 },
        entries: expect.arrayContaining([expect.objectContaining({ title: first.title })]),
      });
    }
    const { stdout } = await home.desk(['summary']);
    expect(stdout).toContain(`1 revoked\n  ${first.title}`);
  });

  it('is printed once by a scheduled run on the next day', async () => {
    goTo(BEGIN + DAY);
    expect(await home.value(['run-due'])).toMatchObject({ digest: { counts: { revoked: 1 } } });
    expect(await home.value(['run-due'])).not.toHaveProperty('digest');
  });

  it('includes what other parties did, which a scheduled run reads from the service first', async () => {
    const open = demo.agreements.v1().find(({ state }) => state === 'READY_TO_SIGN');
    if (open === undefined) throw new Error('Nothing waits');
    demo.act('v1', open.id, 'reject');
    goTo(BEGIN + 2 * DAY);
    const { digest } = (await home.value(['run-due'])) as { readonly digest?: unknown };
    expect(digest).toMatchObject({
      counts: { rejected: 1 },
      entries: expect.arrayContaining([expect.objectContaining({ id: open.id, kind: 'rejected' })]),
    });
  });

  it('is not printed by run-due --skip-summary, and is all that run-due --only-news prints', async () => {
    const open = demo.agreements.v1().find(({ state }) => state === 'READY_TO_SIGN');
    if (open === undefined) throw new Error('Nothing waits');
    demo.act('v1', open.id, 'reject');
    goTo(BEGIN + 3 * DAY);
    expect(await home.value(['run-due', '--skip-summary'])).not.toHaveProperty('digest');
    const { stdout } = await home.desk(['run-due', '--only-news']);
    expect(stdout).toMatch(/^Since .*\n1 rejected\n/);
    expect((await home.desk(['run-due', '--only-news'])).stdout).toBe('');
    expect((await home.desk(['run-due'])).stdout).toBe('Nothing is due.\n');
  });

  it('is not printed by a scheduled run that cannot read the service, and the error is reported', async () => {
    const fault = demo.fault({ path: /./, times: 100, do: { kind: 'status', status: 404 } });
    const value = await home.value(['run-due']);
    fault.clear();
    expect(value).toEqual({ ran: [], unread: expect.objectContaining({ code: 'not-found' }) });
  });

  it('names people whose messages bounced', async () => {
    const { items } = (await home.value(['agreements', 'list', '--state', 'waiting'])) as {
      items: readonly { readonly id: string; readonly title: string }[];
    };
    for (const { id, title } of items) {
      const { parties } = (await home.value(['agreements', 'show', id])) as {
        parties: readonly {
          readonly name: string;
          readonly email: string | null;
          readonly state: string;
        }[];
      };
      const party = parties.find(({ email, state }) => email !== null && state === 'turn');
      if (party === undefined) continue;
      await home.value(['reminders', 'exclude', id, '--party', party.email ?? '', '--bounced']);
      const { stdout } = await home.desk(['summary']);
      expect(stdout).toContain(`1 with bounced messages\n  ${title}  ${party.name}`);
      return;
    }
    throw new Error('Nobody has an address');
  });

  it('is written as an email draft, and never overwrites a file', async () => {
    const file = path.join(home.folder, 'today.eml');
    await home.value(['summary', '--out', file]);
    const mail = await readFile(file, 'utf8');
    expect(mail).toContain('X-Unsent: 1');
    const text = Buffer.from(mail.split('\r\n\r\n')[1] ?? '', 'base64').toString();
    expect(text.replaceAll('\r\n', '\n')).toContain(
      redact((await home.desk(['summary'])).stdout.split('\n').slice(1).join('\n').trimEnd()),
    );
    expect((await home.json(['summary', '--out', file])).exit).not.toBe(0);
  });
});
