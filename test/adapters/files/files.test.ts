import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import type { Download } from '../../../electron/core/ports.ts';
import { AppError } from '../../../shared/errors.ts';
import { assertWholePdf } from '../../../shared/rules/files/pdf-shape.ts';

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\nstartxref\n9\n%%EOF\n');
const files = createFiles();
const never = new AbortController().signal;
const anything = (): void => undefined;

let folder: string;
let target: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'desk-files-'));
  target = path.join(folder, 'agreement.pdf');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function download(data: Uint8Array, announced: number | null = null, step = 7): Download {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < data.length; at += step) {
      yield await Promise.resolve(data.subarray(at, at + step));
    }
  }
  return { chunks: chunks(), bytes: announced };
}

const save = (source: Download, file = target) =>
  files.saveNew(file, source, assertWholePdf, never);

describe('the path of a file within a folder', () => {
  it.each(['../a.pdf', 'b/a.pdf', '..', ''])(
    'is rejected for the name %j, which leads out of the folder',
    (name) => {
      expect(() => files.join(folder, name)).toThrow(
        expect.objectContaining({
          failure: { code: 'invalid', message: 'A file name must not point to another folder' },
        }),
      );
    },
  );

  it('is the folder plus the name, also when the folder ends with a separator', () => {
    expect(files.join(folder, 'a.pdf')).toBe(path.join(folder, 'a.pdf'));
    expect(files.join(`${folder}${path.sep}.${path.sep}`, 'a.pdf')).toBe(
      path.join(folder, 'a.pdf'),
    );
  });
});

describe('saving a download', () => {
  it('writes every byte, returns its hash, and leaves no partial file (TX-41)', async () => {
    const sha256 = createHash('sha256').update(PDF).digest('hex');
    const saved = await save(download(PDF, PDF.length));
    expect(saved).toEqual({ file: target, bytes: PDF.length, sha256 });
    expect(readFileSync(target).equals(PDF)).toBe(true);
    expect(readdirSync(folder)).toEqual(['agreement.pdf']);
    expect(await files.hash(target)).toBe(sha256);
    expect(statSync(target).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['an error in JSON', Buffer.from('{"errors":[]}'), 'not-a-pdf'],
    ['a login page', Buffer.from('<!doctype html>'), 'not-a-pdf'],
    ['empty', Buffer.alloc(0), 'file-empty'],
    ['only a PDF header', Buffer.from('%PDF-'), 'cut-answer'],
    ['a PDF without its end', PDF.subarray(0, -6), 'cut-answer'],
    [
      'a PDF with its table beyond the end',
      Buffer.from('%PDF-1.7\nstartxref\n900\n%%EOF'),
      'cut-answer',
    ],
    [
      'a PDF with other data before its header',
      Buffer.concat([Buffer.alloc(1025, 32), PDF]),
      'not-a-pdf',
    ],
    [
      'a PDF with other data after its end',
      Buffer.concat([PDF, Buffer.alloc(70_000, 'x')]),
      'cut-answer',
    ],
    [
      'a PDF with a truncated revision',
      Buffer.concat([PDF, Buffer.from('\n7 0 obj\n<</V(x)')]),
      'cut-answer',
    ],
  ])('leaves no file if the response is %s (T1-86)', async (_, body, reason) => {
    await expect(save(download(body))).rejects.toMatchObject({
      failure: { code: 'service', reason },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([-1, 1])(
    'leaves no file if the announced length is %i bytes more than received (T1-86)',
    async (more) => {
      await expect(save(download(PDF, PDF.length + more))).rejects.toMatchObject({
        failure: { code: 'service', reason: 'cut-answer' },
      });
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it.each([
    ['NULs', Buffer.alloc(70_000)],
    ['spaces and line breaks', Buffer.from(' \r\n'.repeat(2000))],
    ['Ctrl-Z', Buffer.from('\u001a')],
    ['a web page', Buffer.from(`\r\n<html>${'<p>Error</p>'.repeat(3000)}</html>`)],
    ['a web page, then NULs', Buffer.from(`<html>${'x'.repeat(9000)}</html>${'\0'.repeat(9000)}`)],
  ])('accepts %s after the end of a PDF, and stores every byte (IN-F7)', async (_, behind) => {
    const body = Buffer.concat([PDF, behind]);
    for (const step of [7, 16_384]) {
      const file = path.join(folder, `${step}.pdf`);
      const steps = { isPdf: true };
      await files.receivePart(file, download(body, null, step), assertWholePdf, never, steps);
      expect(readFileSync(`${file}.part`).equals(body)).toBe(true);
    }
  });

  it('accepts a PDF with up to a kilobyte before its header', async () => {
    await save(download(Buffer.concat([Buffer.alloc(900, 32), PDF])));
    expect(existsSync(target)).toBe(true);
  });

  it('reports the error that ended the download, and leaves no file', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(PDF);
      throw new AppError('offline', 'gone', { reason: 'connection-lost' });
    }
    await expect(save({ chunks: broken(), bytes: null })).rejects.toMatchObject({
      failure: { code: 'offline' },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('stops when it is cancelled, and leaves no file', async () => {
    const stop = new AbortController();
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(PDF);
      stop.abort();
      yield PDF;
    }
    const saving = files.saveNew(target, { chunks: chunks(), bytes: null }, anything, stop.signal);
    await expect(saving).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('never overwrites an existing file', async () => {
    writeFileSync(target, 'mine');
    await expect(save(download(PDF))).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect(readFileSync(target, 'utf8')).toBe('mine');
  });

  it('requests no content if the file name is already in use', async () => {
    writeFileSync(target, 'mine');
    let fetched = 0;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      fetched += 1;
      yield await Promise.resolve(PDF);
    }
    await expect(save({ chunks: chunks(), bytes: null })).rejects.toMatchObject({
      failure: { code: 'conflict' },
    });
    expect(fetched).toBe(0);
  });

  it('succeeds if the older file that it replaces is missing', async () => {
    await save(download(PDF));
    await files.drop(path.join(folder, 'gone.pdf'));
    expect(readdirSync(folder)).toEqual(['agreement.pdf']);
  });

  it('never overwrites a file that appears during the download', async () => {
    const saving = files.saveNew(
      target,
      download(PDF),
      () => {
        writeFileSync(target, 'mine');
      },
      never,
    );
    await expect(saving).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect(readdirSync(folder)).toEqual(['agreement.pdf']);
  });

  it.each(['agreement.pdf', 'agreement.pdf.part'])(
    'never writes through a link %s',
    async (name) => {
      const outside = path.join(folder, 'outside');
      writeFileSync(outside, 'mine');
      symlinkSync(outside, path.join(folder, name));
      await save(download(PDF)).catch((error: unknown) => {
        expect(error).toMatchObject({ failure: { code: 'conflict' } });
      });
      expect(readFileSync(outside, 'utf8')).toBe('mine');
    },
  );

  it('replaces the partial file of a killed process', async () => {
    writeFileSync(`${target}.part`, 'half of an older try');
    await save(download(PDF));
    expect(readFileSync(target).equals(PDF)).toBe(true);
    expect(readdirSync(folder)).toEqual(['agreement.pdf']);
  });

  it('leaves only the partial file if the process is killed (TX-41)', async () => {
    const script = `
      import { createFiles } from ${JSON.stringify(path.resolve('electron/adapters/files/files.ts'))};
      async function* chunks() {
        for (;;) { yield Buffer.from('%PDF-'.repeat(1000)); console.log('wrote'); }
      }
      const download = { chunks: chunks(), bytes: null };
      await createFiles().saveNew(${JSON.stringify(target)}, download, () => {}, new AbortController().signal);`;
    const args = ['--input-type=module-typescript', '--eval', script];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    expect(readdirSync(folder)).toEqual(['agreement.pdf.part']);
  });
});

/** Mounts an empty file system over `at`. Returns false if this user may not mount. */
function mount(at: string, options: string): boolean {
  const args = ['-t', 'tmpfs', '-o', options, 'tmpfs', at];
  return process.platform === 'linux' && spawnSync('mount', args).status === 0;
}

describe('saving to a folder that cannot be written to', () => {
  it('reports that the disk is full, and leaves no file (TX-43)', async (context) => {
    if (!mount(folder, 'size=64k')) context.skip('Only root can mount a small disk to fill it');
    try {
      const large = Buffer.concat([PDF, Buffer.alloc(200_000, 32), PDF]);
      await expect(save(download(large, null, 8192))).rejects.toMatchObject({
        failure: { code: 'storage', reason: 'disk-full' },
      });
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      spawnSync('umount', [folder]);
    }
  });

  it('reports that the folder is read-only (TX-43)', async (context) => {
    if (!mount(folder, 'ro')) context.skip('Only root can mount a read-only folder');
    const refusal = { failure: { code: 'storage', reason: 'folder-read-only' } };
    try {
      await expect(save(download(PDF))).rejects.toMatchObject(refusal);
      await expect(files.prepareFolder(folder)).rejects.toMatchObject(refusal);
      await expect(files.replaceText(target, 'x')).rejects.toMatchObject(refusal);
      expect(await files.listFolder(folder)).toEqual([]);
    } finally {
      spawnSync('umount', [folder]);
    }
  });

  it('reports that the folder is gone, and does not create it (TX-43)', async () => {
    const lost = path.join(folder, 'usb');
    await expect(save(download(PDF), path.join(lost, 'a.pdf'))).rejects.toMatchObject({
      failure: { code: 'storage', reason: 'folder-missing' },
    });
    expect(existsSync(lost)).toBe(false);
  });
});

describe('the operations on a folder', () => {
  it('create a folder and list its content', async () => {
    const inner = path.join(folder, 'a');
    expect(await files.prepareFolder(inner)).toEqual([]);
    mkdirSync(path.join(inner, 'c'));
    expect(await files.prepareFolder(inner)).toEqual(['c']);
  });

  it('do not create a missing parent folder, since its drive may be disconnected (TX-43)', async () => {
    const lost = path.join(folder, 'usb', 'archive');
    await expect(files.prepareFolder(lost)).rejects.toMatchObject({
      failure: { code: 'storage', reason: 'folder-missing' },
    });
    expect(existsSync(path.join(folder, 'usb'))).toBe(false);
  });

  it('replace a text file as a whole (TX-44)', async () => {
    await files.replaceText(target, 'first');
    await files.replaceText(target, 'second');
    expect(readFileSync(target, 'utf8')).toBe('second');
    expect(readdirSync(folder)).toEqual(['agreement.pdf']);
  });

  it('retry a text file whose temporary file another computer removed, and fail after several tries', async () => {
    await files.replaceText(target, 'first');
    const { rename } = fs;
    let swept = 0;
    const spy = vi.spyOn(fs, 'rename').mockImplementation(async (from, to) => {
      swept += 1;
      if (swept !== 2) rmSync(from);
      return rename(from, to);
    });
    syncBuiltinESMExports();
    try {
      await files.replaceText(target, 'second');
      expect(readFileSync(target, 'utf8')).toBe('second');
      await expect(files.replaceText(target, 'third')).rejects.toMatchObject({
        failure: { code: 'storage' },
      });
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
    expect(swept).toBe(5);
    expect(readdirSync(folder)).toEqual(['agreement.pdf']);
  });

  it('read a text unchanged, up to a mebibyte', async () => {
    await files.replaceText(target, 'Åsa “Öberg” 🖋');
    expect(await files.readText(target)).toBe('Åsa “Öberg” 🖋');
    writeFileSync(target, 'x'.repeat(1024 * 1024));
    expect(await files.readText(target)).toHaveLength(1024 * 1024);
    writeFileSync(target, 'x'.repeat(1024 * 1024 + 1));
    await expect(files.readText(target)).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'too-large', message: 'The file is too large' },
    });
    await expect(files.readText(path.join(folder, 'none.txt'))).rejects.toMatchObject({
      failure: { code: 'storage', message: 'Reading none.txt failed: ENOENT' },
    });
  });

  it('list every file below a folder by its relative path', async () => {
    const deepest = path.join(folder, ...Array(12).fill('d'));
    mkdirSync(path.join(deepest, 'too deep'), { recursive: true });
    const all = [target, path.join(folder, 'd', 'a.txt'), path.join(deepest, 'b.txt')];
    for (const file of [...all, path.join(deepest, 'too deep', 'c.txt')]) writeFileSync(file, '');
    const names = [];
    for await (const name of files.walk(folder)) names.push(name);
    expect(names.toSorted()).toEqual(['agreement.pdf', 'd/a.txt', `${'d/'.repeat(12)}b.txt`]);
  });

  it('return the size and change time of a file, and null for folders and missing files', async () => {
    await files.replaceText(target, 'text');
    const { ctimeMs } = statSync(target);
    expect(await files.statFile(target)).toEqual({ bytes: 4, changedAt: ctimeMs });
    expect(await files.statFile(folder)).toBeNull();
    expect(await files.statFile(path.join(folder, 'none'))).toBeNull();
    expect(await files.hash(folder)).toBeNull();
  });

  it('remove a file or its partial file, and succeed if neither exists', async () => {
    writeFileSync(target, 'x');
    writeFileSync(`${target}.part`, 'x');
    await files.dropPart(target);
    expect(readdirSync(folder)).toEqual(['agreement.pdf']);
    await files.drop(target);
    expect(readdirSync(folder)).toEqual([]);
    await Promise.all([files.drop(target), files.dropPart(target)]);
    mkdirSync(target);
    mkdirSync(`${target}.part`);
    // Sequential, because a second rejection during the first await would be unhandled.
    for (const remove of [files.drop, files.dropPart]) {
      await expect(remove(target)).rejects.toMatchObject({
        failure: { code: 'storage', message: expect.stringMatching(/^Removing failed: /u) },
      });
    }
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('read a file in chunks of a quarter of a mebibyte', async () => {
    writeFileSync(target, Buffer.alloc(300 * 1024));
    const lengths = [];
    for await (const { length } of files.chunks(target)) lengths.push(length);
    expect(lengths).toEqual([256 * 1024, 44 * 1024]);
  });

  it('close a text file after reading', async () => {
    writeFileSync(target, 'x');
    const { open } = fs;
    const opened: fs.FileHandle[] = [];
    const spy = vi.spyOn(fs, 'open').mockImplementation(async (...asked) => {
      const handle = await open(...asked);
      opened.push(handle);
      return handle;
    });
    syncBuiltinESMExports();
    await files.readText(target);
    spy.mockRestore();
    syncBuiltinESMExports();
    expect(opened.map(({ fd }) => fd)).toEqual([-1]);
  });

  it('return null as the hash of a missing file', async () => {
    expect(await files.hash(target)).toBeNull();
  });

  it.each(['..', '../x', 'a/b', '/etc/passwd', '.', ''])('reject the name "%s"', (name) => {
    expect(() => files.join(folder, name)).toThrow(AppError);
    expect(files.folderOf(files.join(folder, 'x.pdf'))).toBe(folder);
  });
});
