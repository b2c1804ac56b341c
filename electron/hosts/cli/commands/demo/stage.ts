import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppError } from '../../../../../shared/errors.ts';
import type { ApiName } from '../../../../../shared/model/ids.ts';
import { formPdf } from '../../../../demo/pdf/form.ts';
import { type Demo, startDemo } from '../../../../demo/start.ts';
import type { Answer } from '../../output/answer.ts';
import { formFields } from './bodies.ts';
import type { Io } from '../../output/io.ts';
import { KEY_BYTES, writeNewFile } from '../../input/local-files.ts';
import type { Report } from '../../output/report.ts';
import type { Session } from '../../session/session.ts';
import { withDesk } from '../../session/with-desk.ts';

/** Fresh desk and its service, for one run of the main job. */
export interface Stage {
  readonly session: Session;
  readonly demo: Demo;
  readonly form: Uint8Array;
  /** Folder of all files of this run. */
  readonly folder: string;
  /** Returns the folder for the signed PDFs of an API. */
  folderFor(api: ApiName): string;
  say(sentence: string): void;
}

interface StageOptions {
  readonly io: Io;
  readonly report: Report;
  /** Folder to keep; null uses a temporary folder, of which only the PDFs are kept. */
  readonly keep: string | null;
}

/** Sets the stage up, runs `play`, and removes all files that are not kept. */
export async function withStage(
  { io, report, keep }: StageOptions,
  play: (stage: Stage) => Promise<Answer>,
): Promise<Answer> {
  const folder = await freshFolder(keep);
  const dataDir = path.join(folder, 'data');
  const stateDir = path.join(folder, 'state');
  const keyfile = path.join(folder, 'desk.key');
  let demo: Demo | undefined;
  try {
    await writeNewFile(keyfile, randomBytes(KEY_BYTES));
    // An archive creates its own folder, but no parent folder.
    await mkdir(path.join(folder, 'archive'), { recursive: true, mode: 0o700 });
    const form = await formPdf('Lease', formFields);
    // The other parties act only on command, so that every run has the same result.
    const service = (demo = await startDemo({ dataDir: null, counterpartDelayMs: null }));
    // Each step reports its own result.
    const quiet = { ...report, progress: () => ({ show: () => undefined, end: () => undefined }) };
    const setup = { dataDir, stateDir, vault: { keyfile }, demo };
    return await withDesk(setup, { io, report: quiet, need: 'data' }, (session) =>
      play({
        session,
        demo: service,
        form,
        folder,
        folderFor: (api) => path.join(folder, 'archive', api),
        say: (sentence) => report.note(sentence),
      }),
    );
  } finally {
    await demo?.close();
    if (keep === null) {
      await rm(dataDir, { recursive: true, force: true });
      await rm(stateDir, { recursive: true, force: true });
      await rm(keyfile, { force: true });
      await removeEmpty([path.join(folder, 'archive'), folder]);
    }
  }
}

async function freshFolder(keep: string | null): Promise<string> {
  const folder = keep === null ? tmpdir() : path.resolve(keep);
  try {
    if (keep === null) return await mkdtemp(path.join(path.resolve(folder), 'signing-desk-demo-'));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch (cause) {
    const [why] = (cause instanceof Error ? cause.message : String(cause)).split(',', 1);
    const next = 'choose a folder that you can write to: demo --keep FOLDER';
    throw new AppError('invalid', `The demo cannot write to ${folder} (${why}); ${next}`, {
      cause,
    });
  }
}

/** Removes the folders of a run that failed before it wrote anything. */
async function removeEmpty(folders: readonly string[]): Promise<void> {
  try {
    for (const folder of folders) await rmdir(folder);
  } catch {
    // The folder contains signed PDFs, and is kept.
  }
}
