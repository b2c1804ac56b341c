import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import {
  DataExportManifest,
  DataExportReading,
  WrittenDataExport,
} from '../../../shared/contract/takeout.ts';
import { createMemoryFiles, sha256 } from '../fakes/memory-ports.ts';
import { type BatchDesk, startBatchDesk } from './batch-desk.ts';

type Reading = 'takeout.look' | 'takeout.import';

/** An exporting program, an importing program, and a folder between them. */
export class TwoDesks {
  readonly from: BatchDesk;
  readonly to: BatchDesk;
  readonly folder: string;

  private constructor(from: BatchDesk, to: BatchDesk, folder: string) {
    this.from = from;
    this.to = to;
    this.folder = folder;
  }

  static async start(): Promise<TwoDesks> {
    const folder = mkdtempSync(path.join(tmpdir(), 'desk-takeout-'));
    const files = { ...createMemoryFiles(), ...createFiles() };
    const desks = [
      await startBatchDesk('v1', { files }),
      await startBatchDesk('v1', { files }),
    ] as const;
    return new TwoDesks(...desks, folder);
  }

  [Symbol.dispose](): void {
    this.from[Symbol.dispose]();
    this.to[Symbol.dispose]();
    rmSync(this.folder, { recursive: true });
  }

  async write(): Promise<WrittenDataExport> {
    const { desk } = this.from;
    const { jobId } = await desk.api['takeout.write']({ folder: this.folder });
    return WrittenDataExport.parse((await desk.finish(jobId)).result);
  }

  /** Runs the call on the importing program and returns the result of its job. */
  async read(call: Reading, exported: string) {
    const { desk } = this.to;
    const { jobId } = await desk.api[call]({ folder: exported });
    return desk.finish(jobId);
  }

  async done(call: Reading, exported: string): Promise<DataExportReading> {
    return DataExportReading.parse((await this.read(call, exported)).result);
  }
}

/** Rewrites a file of an export and its hash in the list, as an attacker would. */
export function rewrite(exported: string, file: string, change: (text: string) => string): void {
  const place = path.join(exported, file);
  writeFileSync(place, change(readFileSync(place, 'utf8')));
  const manifest = manifestOf(exported);
  const hash = sha256(new Uint8Array(readFileSync(place)));
  const files = manifest.files.map((one) => (one.file === file ? { ...one, sha256: hash } : one));
  writeFileSync(path.join(exported, 'manifest.json'), JSON.stringify({ ...manifest, files }));
}

export const manifestOf = (exported: string): DataExportManifest =>
  DataExportManifest.parse(JSON.parse(readFileSync(path.join(exported, 'manifest.json'), 'utf8')));
