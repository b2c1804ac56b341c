/*
 * Assembles the program as every host does, but with scaled time and an end at a named kill point.
 * Every process of the fault runs uses this file.
 */
import { writeSync } from 'node:fs';
import { createLogFiles } from '../../../electron/adapters/system/log-files.ts';
import { createLog } from '../../../electron/adapters/system/log.ts';
import { originOf, systemChance } from '../../../electron/adapters/system/platform.ts';
import { createVault } from '../../../electron/adapters/vault/vault.ts';
import { openData } from '../../../electron/compose/data.ts';
import { createToFailure } from '../../../electron/core/app-error.ts';
import { createByteExchange } from '../../../electron/core/bytes/exchange.ts';
import type { KillPoint } from '../../../electron/core/outbox/ports.ts';
import { createScaledClock, type ScaledTime } from '../scaled-time.ts';

interface Killable extends ScaledTime {
  readonly folder: string;
  readonly keyfile: string;
  /** Folder of the external state; next to the data folder by default. */
  readonly stateDir?: string;
  readonly killAt: string | null;
  readonly killNth: number;
}

/**
 * Timeouts in real milliseconds; the program's own timeouts would be days at this factor of time.
 */
export const deadlines = {
  read: 4_000,
  download: 4_000,
  downloadIdle: 4_000,
  write: 250,
  writeMost: 400,
};

/** Opens the data and prints "open"; `passing` ends the process at its kill point. */
export async function openKillable(order: Killable) {
  const { folder, keyfile } = order;
  const clock = createScaledClock(order);
  const log = createLog(folder, clock);
  const vault = createVault({ store: 'keyfile', path: keyfile, dataDir: folder });
  const atKillPoint = createAtKillPoint(order);
  const data = await openData({
    folder,
    systemWays: async () => [],
    stateDir: order.stateDir ?? `${folder}.state`,
    vault,
    clock,
    log,
    logFiles: createLogFiles(folder),
    toFailure: createToFailure(log),
    atKillPoint,
    deadlines,
    profile: 'own',
    chance: systemChance,
    demo: undefined,
    locale: 'en',
    language: null,
    interactive: false,
    bytes: createByteExchange(clock, systemChance),
    emit: () => undefined,
    origin: originOf('0'),
    updater: { way: 'checkout' },
    version: '1.0.0',
  });
  writeSync(1, 'open\n');
  return { data, vault, clock, log, atKillPoint };
}

export function createAtKillPoint({
  killAt,
  killNth,
}: Pick<Killable, 'killAt' | 'killNth'>): (point: KillPoint) => void {
  let passed = 0;
  return (point) => {
    if (point !== killAt) return;
    passed += 1;
    if (passed >= killNth) end();
  };
}

/** Ends the process as a power cut does, without closing or writing anything. */
function end(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}
