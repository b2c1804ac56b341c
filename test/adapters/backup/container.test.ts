import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkRecipient } from '../../../electron/adapters/backup/keys.ts';
import { pack } from '../../../electron/adapters/backup/pack.ts';
import { newPhrase, readPhrase } from '../../../electron/adapters/system/phrase.ts';
import { readBackup } from '../../../electron/adapters/backup/unpack.ts';
import { packed } from './packed.ts';

/** Sample data longer than four of age's chunks of 64 KiB; the last chunk is not full. */
const DATA = randomBytes(300_001);
const CUTS = 40;
const FLIPS = 120;

let administrator: { readonly identity: string; readonly recipient: string };
let backup: Awaited<ReturnType<typeof packed>>;

beforeAll(async () => {
  const identity = await generateX25519Identity();
  administrator = { identity, recipient: await identityToRecipient(identity) };
  backup = await packed(DATA, administrator.recipient);
});
afterAll(() => backup[Symbol.dispose]());

const failure = (code: string, reason?: string) =>
  expect.objectContaining({
    failure: expect.objectContaining(reason === undefined ? { code } : { code, reason }),
  });
const open = (file: string, secret = backup.phrase, into: string | null = null) =>
  readBackup(file, { secret }, into);
/** Writes the backup with this change to a separate file, and returns its path. */
function changed(name: string, change: (bytes: Buffer) => Buffer): string {
  const file = backup.at(name);
  writeFileSync(file, change(Buffer.from(backup.content)));
  return file;
}

describe('a backup', () => {
  it('restores its content, with the phrase and with the administrator’s key', async () => {
    const { secrets, manifest } = backup.order;
    for (const [name, secret] of [
      ['phrase', backup.phrase],
      ['phrase as people type it', `  ${backup.phrase.toUpperCase().replaceAll(' ', ' - ')}\n`],
      [
        'key',
        `# created: 2026\n# public key: ${administrator.recipient}\n${administrator.identity}\n`,
      ],
    ] as const) {
      const into = backup.at(`out ${name}`);
      expect(await open(backup.file, secret, into)).toMatchObject({ manifest, secrets });
      expect(readFileSync(into).equals(DATA)).toBe(true);
    }
  });

  it('can be read only by its owner', () => {
    if (process.platform !== 'win32') expect(statSync(backup.file).mode & 0o777).toBe(0o600);
  });

  it('reveals neither its content nor its keys', () => {
    const { secrets, manifest } = backup.order;
    const text = backup.content.toString('latin1');
    for (const secret of [secrets.dataKey, 'token', manifest.computer, backup.phrase, 'SECRET-KEY'])
      expect(text).not.toContain(secret);
  });

  it.each([
    ['another phrase', () => newPhrase(), 'phrase-other'],
    ['a phrase with a wrong word', () => `${newPhrase()} zebra`, 'phrase-wrong'],
    ['another key', () => generateX25519Identity(), 'key-wrong'],
  ] as const)('is rejected with a reason when it is opened with %s', async (_, secret, reason) => {
    const into = backup.at('refused');
    await expect(open(backup.file, await secret(), into)).rejects.toEqual(
      failure('invalid', reason),
    );
    expect(existsSync(into)).toBe(false);
  });

  it('is rejected wherever it is truncated', async () => {
    const { length } = backup.content;
    for (let at = 0; at < CUTS; at += 1) {
      const end = at === CUTS - 1 ? length - 1 : Math.floor((length * at) / CUTS);
      const file = changed('cut', (bytes) => bytes.subarray(0, end));
      const reason = end < 1024 ? expect.any(String) : 'backup-damaged';
      await expect(open(file), `cut at ${end}`).rejects.toEqual(
        expect.objectContaining({ failure: expect.objectContaining({ reason }) }),
      );
    }
  });

  it('is rejected when any bit changes, or still restores its complete content', async () => {
    let refused = 0;
    for (let at = 0; at < FLIPS; at += 1) {
      const byte = Math.floor((backup.content.length * at) / FLIPS);
      const file = changed('flipped', (bytes) => {
        bytes[byte] = (bytes[byte] ?? 0) ^ (1 << (at % 8));
        return bytes;
      });
      const into = backup.at(`flipped ${at}`);
      try {
        // A changed bit in padding or in the readable text damages no data.
        await open(file, backup.phrase, into);
        expect(readFileSync(into).equals(DATA), `byte ${byte}`).toBe(true);
      } catch (error) {
        refused += 1;
        expect(error, `byte ${byte}`).toMatchObject({
          failure: { reason: expect.stringMatching(/^(?:backup-damaged|not-a-backup)$/) },
        });
      }
    }
    expect(refused).toBeGreaterThan(FLIPS * 0.9);
  });

  it.each([
    ['its README was changed', 512 + 20, 'storage', 'backup-damaged'],
    ['its first file is a link', 156, 'invalid', 'not-a-backup'],
  ] as const)('is rejected when %s (SR-L14)', async (_, at, code, reason) => {
    const file = changed('other head', (bytes) => {
      // tar: byte 156 of a header is the type (2 for a link). The checksum is updated.
      bytes[at] = at === 156 ? 0x32 : (bytes[at] ?? 0) ^ 1;
      const head = Buffer.from(bytes.subarray(0, 512)).fill(0x20, 148, 156);
      const sum = head.reduce((all, byte) => all + byte, 0);
      bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
      return bytes;
    });
    await expect(open(file)).rejects.toEqual(failure(code, reason));
  });

  it('of an earlier version, which does not cover its README, opens (SR-L14)', async () => {
    const data = randomBytes(10);
    using old = await packed(data);
    const { order, at, phrase } = old;
    const manifest = { ...order.manifest, readmeSha256: undefined };
    await pack({ ...order, manifest, part: at('old') }, () => undefined);
    expect(await open(at('old'), phrase)).toMatchObject({ manifest: order.manifest });
  });

  it('of a newer version is rejected with advice', async () => {
    const file = changed('newer', (bytes) => {
      const at = bytes.indexOf('"version":1');
      bytes.write('"version":9', at);
      return bytes;
    });
    await expect(open(file)).rejects.toEqual(failure('newer-data'));
  });

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['a PDF', Buffer.from('%PDF-1.7\n%%EOF\n')],
    ['noise', randomBytes(4096)],
  ])('is not recognised if the file is %s', async (name, bytes) => {
    const file = changed(name, () => bytes);
    await expect(open(file)).rejects.toEqual(failure('invalid', 'not-a-backup'));
  });

  it('that does not exist is reported as not found', async () => {
    await expect(open(backup.at('nothing'))).rejects.toEqual(failure('not-found'));
    await expect(open(backup.folder)).rejects.toEqual(failure('not-found'));
  });

  it('never overwrites a file', async () => {
    const order = { ...backup.order, part: backup.file };
    await expect(pack(order, () => undefined)).rejects.toEqual(failure('storage'));
    expect(readFileSync(backup.file).equals(backup.content)).toBe(true);
  });

  it('is not written when the copied database does not match its description', async () => {
    const database = backup.at('other.db');
    writeFileSync(database, randomBytes(DATA.length));
    const order = { ...backup.order, database, part: backup.at('other') };
    await expect(pack(order, () => undefined)).rejects.toEqual(
      failure('storage', 'backup-damaged'),
    );
  });

  it('reports progress for each byte twice: when it is written, and when it is read back', async () => {
    let told = 0;
    const part = backup.at('told');
    const { bytes } = await pack({ ...backup.order, part }, (more) => void (told += more));
    expect(told).toBe(2 * bytes);
  });
});

describe('a recovery phrase', () => {
  it('has twelve words, and each new phrase is different', () => {
    const phrases = new Set(Array.from({ length: 50 }, newPhrase));
    expect(phrases.size).toBe(50);
    for (const phrase of phrases) expect(phrase).toMatch(/^(?:[a-z]{3,8} ){11}[a-z]{3,8}$/);
  });

  it.each(['', 'twelve', 'abandon '.repeat(12), 'hunter2 and some more words that mean nothing'])(
    'is rejected if it is %j',
    (text) => {
      expect(() => readPhrase(text)).toThrowError(failure('invalid', 'phrase-wrong'));
    },
  );

  it('with two swapped words is nearly always recognised as wrong', () => {
    const wrong = Array.from({ length: 64 }, () => {
      const [first = '', second = '', ...rest] = newPhrase().split(' ');
      return [second, first, ...rest].join(' ');
    }).filter((phrase) => {
      try {
        readPhrase(phrase);
        return false;
      } catch {
        return true;
      }
    });
    expect(wrong.length).toBeGreaterThan(48);
  });
});

it.each(['', 'age1', 'ssh-ed25519 AAAA', 'AGE-SECRET-KEY-1QQ'])(
  'an administrator’s key is rejected if it is %j',
  (text) => {
    expect(() => checkRecipient(text)).toThrowError(failure('invalid'));
  },
);

/** Whether `age` is installed. */
const hasAge = spawnSync('age', ['--version']).status === 0;

describe.skipIf(!hasAge)('the age program', () => {
  it('opens a backup with the key file, and tar reads its content', () => {
    const folder = backup.at('by hand');
    mkdirSync(folder);
    const key = backup.at('key.txt');
    writeFileSync(key, `${administrator.identity}\n`);
    execFileSync('tar', ['-xf', backup.file, '-C', folder]);
    const inner = execFileSync('age', ['--decrypt', '-i', key, `${folder}/backup.age`], {
      maxBuffer: 2 * DATA.length,
    });
    execFileSync('tar', ['-xf', '-', '-C', folder], { input: inner });
    expect(readFileSync(`${folder}/desk.db`).equals(DATA)).toBe(true);
    const sha256 = createHash('sha256')
      .update(readFileSync(`${folder}/key.age`))
      .digest('hex');
    const index: unknown = JSON.parse(readFileSync(`${folder}/index.json`, 'utf8'));
    expect(index).toMatchObject({ keySha256: sha256 });
  });
});
