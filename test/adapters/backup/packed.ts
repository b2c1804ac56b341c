import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeKeys } from '../../../electron/adapters/backup/keys.ts';
import { pack } from '../../../electron/adapters/backup/pack.ts';
import { newPhrase } from '../../../electron/adapters/system/phrase.ts';
import { LITTLE_PHRASE_WORK } from '../../support/phrase-work.ts';
import type { BackupManifest } from '../../../shared/contract/backup.ts';

const none = {
  connections: 0,
  agreements: 0,
  drafts: 0,
  templates: 0,
  people: 0,
  batches: 0,
  sends: 0,
  evidence: 0,
  archived: 0,
};

/** Writes a backup of sample bytes, used as the data file, to its own folder. */
export async function packed(data: Uint8Array, administrator: string | null = null) {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-backup-'));
  const at = (name: string) => path.join(folder, name);
  writeFileSync(at('copy.db'), data);
  const phrase = newPhrase();
  const keys = await makeKeys(phrase, LITTLE_PHRASE_WORK);
  const sha256 = createHash('sha256').update(data).digest('hex');
  const manifest: BackupManifest = {
    format: 'signing-desk-backup',
    version: 1,
    program: '1.0.0',
    schema: 20,
    madeAt: Date.UTC(2026, 10, 22),
    desk: '1f2e3d4c',
    computer: 'kontorets-dator',
    counts: none,
    evidence: { entries: 0, hash: '' },
    database: { bytes: data.length, sha256 },
    withCredentials: false,
  };
  const secrets = { dataKey: 'ab'.repeat(32), credentials: { 'connection/1': 'token' } };
  const order = { keys, administrator, manifest, secrets, database: at('copy.db') };
  const { bytes } = await pack({ ...order, part: at('backup') }, () => undefined);
  return {
    folder,
    at,
    phrase,
    order,
    bytes,
    file: at('backup'),
    content: readFileSync(at('backup')),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
