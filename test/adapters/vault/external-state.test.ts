import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../electron/adapters/sqlite/open/open.ts';
import { connect } from '../../../electron/adapters/sqlite/database/cipher.ts';
import { claimFolder, newMarker } from '../../../electron/adapters/vault/marker.ts';
import {
  createExternalState,
  hardwareIdIn,
} from '../../../electron/adapters/vault/external-state.ts';
import { isSamePlace } from '../../../electron/core/outbox/epoch.ts';
import { NOW } from '../sqlite/temp-database.ts';

const KEY = new Uint8Array(32).fill(7);
const NAME = 'outbox-epoch';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-witness-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const stateDir = () => path.join(folder, 'state');

async function witnessOf(name: string, state: string | null = stateDir()) {
  const dataDir = path.join(folder, name);
  const file = path.join(dataDir, 'desk.db');
  openDatabase({ file, key: KEY, now: NOW }).close();
  await claimFolder(dataDir, newMarker('keyfile'));
  return { file, externalState: createExternalState({ stateDir: state, dataDir, file }) };
}

describe('the external state of a data folder', () => {
  it('is outside the folder, and is read again; two folders have separate states (SEC-H1)', async () => {
    const [{ externalState }, other] = [await witnessOf('data'), await witnessOf('other')];
    expect(await externalState.read(NAME)).toBeNull();
    await externalState.write(NAME, '3');
    await externalState.write(NAME, '4');
    rmSync(path.join(folder, 'other'), { recursive: true });
    expect(await externalState.read(NAME)).toBe('4');
    const { externalState: anew } = await witnessOf('other');
    expect(await anew.read(NAME)).toBeNull();
    expect(other.file).toContain('other');
  });

  it('is reported with its location if it cannot be stored (SEC-H1)', async () => {
    writeFileSync(stateDir(), '');
    const { externalState } = await witnessOf('data');
    const failure = { code: 'storage', reason: 'state-folder' };
    await expect(externalState.write(NAME, '3')).rejects.toMatchObject({ failure });
    await expect(externalState.write(NAME, '3')).rejects.toThrow(stateDir());
    const { externalState: homeless } = await witnessOf('homeless', null);
    await expect(homeless.read(NAME)).rejects.toThrow('XDG_STATE_HOME');
  });
});

describe('the identity of the computer and location of a data file', () => {
  it('is stable over starts, writes, a checkpoint and VACUUM, and differs for a copy (SEC-H1)', async () => {
    const { file, externalState } = await witnessOf('data');
    const before = await externalState.place();
    openDatabase({ file, key: KEY, now: NOW }).close();
    const raw = connect(file, KEY, 'write');
    raw.exec("INSERT INTO setting (name, value) VALUES ('a', '1')");
    raw.pragma('wal_checkpoint(TRUNCATE)');
    raw.exec('VACUUM');
    raw.close();
    expect(isSamePlace(before, await externalState.place())).toBe(true);
    expect(before.computer).toMatch(/^[0-9a-f]{64}$/u);
    mkdirSync(path.join(folder, 'copy'));
    const copy = path.join(folder, 'copy', 'desk.db');
    copyFileSync(file, copy);
    const at = createExternalState({
      stateDir: stateDir(),
      dataDir: path.join(folder, 'copy'),
      file: copy,
    });
    expect(isSamePlace(before, await at.place())).toBe(false);
  });

  it('on a Mac uses the hardware UUID from ioreg', () => {
    const printed = `  "IOPlatformSerialNumber" = "C02A1B2C3D4E"
      "IOPlatformUUID" = "4A8B2C10-0000-5111-8222-93A4B5C6D7E8"`;
    expect(hardwareIdIn(printed)).toBe('4A8B2C10-0000-5111-8222-93A4B5C6D7E8');
    expect(hardwareIdIn('')).toBeNull();
  });
});
