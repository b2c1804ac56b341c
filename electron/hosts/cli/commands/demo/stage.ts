import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ApiName } from '../../../../../shared/model/ids.ts';
import { formPdf } from '../../../../demo/pdf/form.ts';
import { type Demo, startDemo } from '../../../../demo/start.ts';
import type { Answer } from '../../output/answer.ts';
import { formFields } from './bodies.ts';
import type { Io } from '../../output/io.ts';
import { KEY_BYTES, writeNew } from '../../input/local-files.ts';
import type { Report } from '../../output/report.ts';
import type { Session } from '../../session/session.ts';
import { withDesk } from '../../session/with-desk.ts';

/** A fresh desk and the service it works with, for one run of the main job. */
export interface Stage {
  readonly session: Session;
  readonly demo: Demo;
  /** A PDF form to draft with. */
  readonly form: Uint8Array;
  /** Where everything of this run lies. */
  readonly folder: string;
  /** Where the signed PDFs of an API come to lie. */
  folderFor(api: ApiName): string;
  say(sentence: string): void;
}

interface StageOptions {
  readonly io: Io;
  readonly report: Report;
  /** Null takes a temporary folder, of which only the PDFs stay. */
  readonly keep: string | null;
}

/** Sets everything up, lets `play` run, and takes down what need not stay. */
export async function onStage(
  { io, report, keep }: StageOptions,
  play: (stage: Stage) => Promise<Answer>,
): Promise<Answer> {
  const folder = await freshFolder(keep);
  const dataDir = path.join(folder, 'data');
  const keyfile = await writeNew(path.join(folder, 'desk.key'), randomBytes(KEY_BYTES));
  // An archive makes its own folder, and none around it.
  await mkdir(path.join(folder, 'archive'), { recursive: true, mode: 0o700 });
  const form = await formPdf('Lease', formFields);
  // The others act when they are told to, so that every run is the same.
  const demo = await startDemo({ dataDir: null, counterpartDelayMs: null });
  // Each step says itself what it did.
  const quiet = { ...report, progress: () => ({ show: () => undefined, end: () => undefined }) };
  const stateDir = path.join(folder, 'state');
  const setup = { dataDir, stateDir, vault: { keyfile }, demo };
  try {
    return await withDesk(setup, { io, report: quiet, need: 'data' }, (session) =>
      play({
        session,
        demo,
        form,
        folder,
        folderFor: (api) => path.join(folder, 'archive', api),
        say: (sentence) => report.note(sentence),
      }),
    );
  } finally {
    await demo.close();
    if (keep === null) {
      await rm(dataDir, { recursive: true, force: true });
      await rm(stateDir, { recursive: true, force: true });
      await rm(keyfile, { force: true });
    }
  }
}

async function freshFolder(keep: string | null): Promise<string> {
  if (keep === null) return mkdtemp(path.join(tmpdir(), 'signing-desk-demo-'));
  const folder = path.resolve(keep);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
