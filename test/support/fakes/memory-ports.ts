import path from 'node:path';
import { createHash } from 'node:crypto';
import type { AcceptBytes, Download, PathKind } from '../../../electron/core/file-ports.ts';
import type { Chance, Clock, Files, Log, PdfForms, Vault } from '../../../electron/core/ports.ts';
import type {
  ConvertedDocument,
  DocumentConverter,
} from '../../../electron/core/documents/ports.ts';
import type { Place, ExternalState } from '../../../electron/core/external-state-ports.ts';
import type { WriterLock } from '../../../electron/core/outbox/ports.ts';
import type { PdfForm } from '../../../shared/contract/templates.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';

/** A clock that moves only when a test moves it. */
export interface HandClock extends Clock {
  /** Moves time forward, and runs due timers. */
  advance(milliseconds: number): void;
  /** Moves time forward as sleep does, without running timers. */
  leap(milliseconds: number): void;
  /**
   * Moves the clock as a sleep of the computer does: timers do not run and keep their remaining
   * time. A negative value sets the clock back.
   */
  sleep(milliseconds: number): void;
}

export function createHandClock(start = Date.UTC(2026, 10, 21, 12)): HandClock {
  let now = start;
  const waiting = new Set<{ at: number; readonly run: () => void }>();
  return {
    now: () => now,
    after(milliseconds, run) {
      const alarm = { at: now + milliseconds, run };
      waiting.add(alarm);
      return () => void waiting.delete(alarm);
    },
    leap: (milliseconds) => void (now += milliseconds),
    advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const due = [...waiting].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        waiting.delete(due);
        now = Math.max(now, due.at);
        due.run();
      }
      now = end;
    },
    sleep(milliseconds) {
      for (const alarm of waiting) alarm.at += milliseconds;
      now += milliseconds;
    },
  };
}

/** Sequential IDs, so that a failing test names them. */
export function createCountingChance(): Chance {
  let count = 0;
  return {
    uuid: () => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
    fraction: () => 0.5,
  };
}

export interface MemoryWitness extends ExternalState {
  readonly notes: Map<string, string>;
  /** Changes the computer, volume or data file. */
  moveTo(place: Partial<Place>): void;
  /** Makes every further use fail with this failure; null repairs it. */
  breakWith(failure: Failure | null): void;
}

export function createMemoryWitness(): MemoryWitness {
  const notes = new Map<string, string>();
  let place: Place = { computer: 'office', volume: '1', file: '7', made: '1' };
  let broken: Failure | null = null;
  const used = () => {
    if (broken !== null) throw AppError.from(broken);
  };
  return {
    notes,
    moveTo: (other) => void (place = { ...place, ...other }),
    breakWith: (failure) => void (broken = failure),
    place: async () => place,
    async read(name) {
      used();
      return notes.get(name) ?? null;
    },
    async write(name, text) {
      used();
      notes.set(name, text);
    },
  };
}

export interface MemoryVault extends Vault {
  readonly entries: ReadonlyMap<string, string>;
  /** Makes every further use fail with this failure; null repairs it. */
  breakWith(failure: Failure | null): void;
}

export function createMemoryVault(): MemoryVault {
  const entries = new Map<string, string>();
  let broken: Failure | null = null;
  const used = () => {
    if (broken !== null) throw AppError.from(broken);
  };
  return {
    store: 'keychain',
    entries,
    breakWith: (failure) => void (broken = failure),
    status: async () => (broken === null ? 'ready' : 'locked'),
    async read(name) {
      used();
      return entries.get(name) ?? null;
    },
    async write(name, secret) {
      used();
      entries.set(name, secret);
    },
    async remove(name) {
      used();
      return entries.delete(name);
    },
  };
}

/** Creates locks that exclude each other, one for each process of a test. */
export function createLocks(): { lock(): WriterLock } {
  let holder: object | null = null;
  return {
    lock() {
      const self = {};
      return {
        take: () => (holder ??= self) === self,
        free: () => {
          if (holder === self) holder = null;
        },
      };
    },
  };
}

export interface MemoryLog extends Log {
  readonly errors: readonly unknown[];
}

export function createMemoryLog(): MemoryLog {
  const errors: unknown[] = [];
  return {
    errors,
    info: () => {},
    error: (error) => `ref-${errors.push(error)}`,
  };
}

export interface MemoryFiles extends Files {
  readonly saved: Map<string, Uint8Array>;
  readonly texts: Map<string, string>;
  /** Kinds of further paths; a folder that contains a file always exists. */
  readonly kinds: Map<string, PathKind>;
  /** Error of the next file writes; null clears it. */
  breakWith(error: AppError | null): void;
}

export function createMemoryFiles(): MemoryFiles {
  const saved = new Map<string, Uint8Array>();
  const texts = new Map<string, string>();
  const kinds = new Map<string, PathKind>();
  const parts = new Map<string, Uint8Array>();
  let broken: AppError | null = null;
  const namesIn = (folder: string) =>
    [...saved.keys(), ...texts.keys()]
      .filter((path) => folderOf(path) === folder)
      .map((path) => nameOf(path));
  return {
    saved,
    texts,
    kinds,
    resolveLocal: (text) => (path.posix.isAbsolute(text) ? path.posix.resolve(text) : null),
    async kindOf(asked) {
      if (saved.has(asked) || texts.has(asked)) return 'file';
      const isFolder = [...saved.keys(), ...texts.keys()].some((one) =>
        one.startsWith(`${asked}/`),
      );
      return kinds.get(asked) ?? (isFolder ? 'folder' : 'nothing');
    },
    breakWith: (error) => void (broken = error),
    async saveNew(path, download, accept) {
      if (broken !== null) throw broken;
      if (saved.has(path)) throw new AppError('conflict', 'There is a file already');
      const data = await acceptedBytes(download, accept);
      saved.set(path, data);
      return { file: path, bytes: data.length, sha256: sha256(data) };
    },
    async receivePart(path, download, accept, _signal, steps) {
      if (broken !== null) throw broken;
      const data = await acceptedBytes(download, accept);
      steps.onBytes?.(data.length);
      parts.set(path, data);
      const seal = steps.isPdf === true ? 'none' : null;
      return { bytes: data.length, sha256: sha256(data), seal };
    },
    nameParts: async (paths) =>
      paths.map((path) => {
        const data = parts.get(path) ?? missing(path);
        parts.delete(path);
        if (!saved.has(path)) {
          saved.set(path, data);
          return { failure: null, changedAt: Number.NaN };
        }
        return { failure: { code: 'conflict', message: 'There is a file already' } };
      }),
    continuePart: async () => false,
    dropPart: async (path) => void parts.delete(path),
    drop: async (path) => void texts.delete(path),
    async setAside(path) {
      const aside = `${path}.changed`;
      for (const kept of [saved as Map<string, unknown>, texts as Map<string, unknown>]) {
        if (kept.has(path)) kept.set(aside, kept.get(path));
        kept.delete(path);
      }
      return aside;
    },
    async statFile(path) {
      const data = saved.get(path);
      // Without a modification time, the content is read at each check.
      return data === undefined ? null : { bytes: data.length, changedAt: Number.NaN };
    },
    async *walk(folder) {
      for (const path of [...saved.keys(), ...texts.keys()]) {
        if (path.startsWith(`${folder}/`)) yield path.slice(folder.length + 1);
      }
    },
    async *chunks(path) {
      const data = saved.get(path) ?? bytesOf(texts.get(path) ?? missing(path));
      yield data;
    },
    readText: async (path) => texts.get(path) ?? missing(path),
    replaceText: async (path, text) =>
      void texts.set(path, typeof text === 'string' ? text : textOf(text)),
    prepareFolder: async (folder) => namesIn(folder),
    listFolder: async (folder) => namesIn(folder),
    async hash(path) {
      const text = texts.get(path);
      const data = saved.get(path) ?? (text === undefined ? undefined : bytesOf(text));
      return data === undefined ? null : sha256(data);
    },
    join: (folder, name) => `${folder}/${name}`,
    folderOf,
  };
}

async function acceptedBytes(download: Download, accept: AcceptBytes): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of download.chunks) chunks.push(chunk);
  const data = Buffer.concat(chunks);
  accept(data.subarray(0, 1024), data.subarray(-1024), data.length);
  return data;
}

const missing = (path: string): never => {
  throw new AppError('storage', `There is no ${path}`);
};
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export function sha256(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** PDF forms by the exact content of a file. Merging appends the values to the file. */
export function createMemoryPdf(): PdfForms & { readonly forms: Map<string, PdfForm> } {
  const forms = new Map<string, PdfForm>();
  return {
    forms,
    async read(data) {
      const text = textOf(data);
      if (!text.startsWith('%PDF-')) {
        throw new AppError('invalid', 'Not a PDF', { reason: 'not-a-pdf' });
      }
      return forms.get(text) ?? { pages: 1, fields: [], notices: ['no-fields'] };
    },
    async find() {
      return [];
    },
    async carry(_before, _after, fields) {
      return { fits: [...fields], unsure: [] };
    },
    async guides() {
      return [];
    },
    async place(data, fields) {
      return bytesOf(`${textOf(data)}${JSON.stringify(fields)}`);
    },
    async merge(data, values, flatten) {
      if (Object.values(values).includes('Ł')) {
        throw new AppError('invalid', 'No such letter', { reason: 'pdf-letters' });
      }
      const merged = `${textOf(data)}${JSON.stringify(values)}${flatten ? ' flat' : ''}`;
      return { data: bytesOf(merged), filled: Object.keys(values).length, unfilled: [] };
    },
    async textFits(_data, values) {
      return values.map(() => null);
    },
    async missingLetters(texts) {
      return texts.map((text) => (text.includes('Ł') ? { letter: 'Ł', font: null } : null));
    },
    async compile(data) {
      return {
        form: await this.read(data),
        fill: (values) => this.merge(data, values, true),
        close: () => {},
      };
    },
  };
}

/** Documents by the exact content of a file; a file with other content is not a document. */
export function createMemoryDocuments(): DocumentConverter & {
  readonly made: Map<string, ConvertedDocument>;
} {
  const made = new Map<string, ConvertedDocument>();
  return { made, convert: async (data) => made.get(textOf(data)) ?? null };
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (data: Uint8Array): string => new TextDecoder().decode(data);
