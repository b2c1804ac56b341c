import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPresence } from '../../../../electron/adapters/sqlite/open/presence.ts';

let folder: string;
const presence = () => createPresence(path.join(folder, 'data', 'open.lock'));

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-presence-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the presence lock of a data folder', () => {
  it('is shared by many processes, and exclusive once all have left', () => {
    const [one, other, alone] = [presence(), presence(), presence()];
    expect([one.enter(), other.enter(), alone.enterAlone()]).toEqual([true, true, false]);
    one.leave();
    expect(alone.enterAlone()).toBe(false);
    other.leave();
    expect(alone.enterAlone()).toBe(true);
  });

  it('cannot be shared while a process has it exclusively', () => {
    const [alone, other] = [presence(), presence()];
    expect(alone.enterAlone()).toBe(true);
    expect([other.enter(), other.enterAlone()]).toEqual([false, false]);
    alone.leave();
    expect(other.enter()).toBe(true);
  });
});
