import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDesk } from '../../../electron/compose/compose.ts';
import type { HostConfirmation } from '../../../shared/contract/host.ts';
import { connectDirectly } from '../../../shared/wire.ts';
import { noHostFeatures, offersNothing } from '../fakes/no-host-features.ts';
import { LITTLE_PHRASE_WORK } from '../phrase-work.ts';

/** Answer of the user to native questions; a test may change it. */
export interface Says {
  answer: boolean;
}

/** A window with its own data folder, and the native questions that the user received. */
export async function startAskedWindow(says: Says) {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-outside-'));
  const documents = path.join(folder, 'documents');
  mkdirSync(documents);
  writeFileSync(path.join(folder, 'key'), randomBytes(32), { mode: 0o600 });
  const questions: HostConfirmation[] = [];
  const schedule = { isOn: false };
  const desk = createDesk({
    dataDir: path.join(folder, 'data'),
    stateDir: path.join(folder, 'state'),
    vault: { keyfile: path.join(folder, 'key') },
    version: '0',
    locale: 'en',
    platform: 'linux',
    documentsFolder: documents,
    interactive: true,
    phraseWork: LITTLE_PHRASE_WORK,
    features: {
      ...noHostFeatures,
      describe: offersNothing,
      async confirm(question) {
        questions.push(question);
        return says.answer;
      },
      readSchedule: async () => ({ isOn: schedule.isOn, obstacle: null, command: '' }),
      setSchedule: async (isOn) => void (schedule.isOn = isOn),
    },
  });
  await desk.open();
  return {
    api: connectDirectly(desk.handlers, desk.toFailure).api,
    questions,
    documents,
    async [Symbol.asyncDispose]() {
      await desk.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type AskedWindow = Awaited<ReturnType<typeof startAskedWindow>>;
