import type { VaultState } from '../../../../shared/contract/access.ts';
import { type Answer, answer } from '../output/answer.ts';
import { exits } from '../output/exit-codes.ts';
import type { Session } from '../session/session.ts';
import { randomBytes } from 'node:crypto';
import { type AddCommands, example } from '../session/group.ts';
import { KEY_BYTES, writeNewFile } from '../input/local-files.ts';
import { plain } from '../output/text.ts';

const vaultStateTexts = {
  ready: 'ready',
  locked: 'locked',
  dismissed: 'locked',
  denied: 'locked',
  'no-session': 'missing',
  'entry-missing': 'missing',
  'wrong-key': 'wrong-key',
  changed: 'missing',
} as const satisfies Record<VaultState, 'ready' | 'locked' | 'missing' | 'wrong-key'>;

/** `vault status`: shows the store of the user's own data, even if other data could be opened. */
async function showVault({ api, report }: Session): Promise<Answer> {
  const { store, vault, problem } = await api['access.read']({});
  // The key file exists and is not locked, but other users can read it, so this program refuses it.
  const state = problem?.reason === 'keyfile-mode' ? 'refused' : vaultStateTexts[vault];
  if (problem !== null) report.note(problem.message);
  const exit = state === 'ready' ? exits.done : exits.credentials;
  return answer({ store, state }, `${store}: ${state}`, exit);
}

async function createKeyFile(file: string): Promise<Answer> {
  const written = await writeNewFile(file, randomBytes(KEY_BYTES));
  const text = `Wrote ${plain(written)}. Anyone who has this file can read the data it protects.`;
  return answer({ file: written }, text);
}

export const vaultCommands: AddCommands = (group, run) => {
  const create = group
    .command('create-keyfile')
    .argument('<path>', 'file to create; an existing file is never overwritten')
    .description('create a key file for unattended runs (`SIGNING_DESK_VAULT=keyfile:<path>`)')
    .action((file: string) => run.alone(() => createKeyFile(file)));
  example(create, 'vault create-keyfile ~/.signing-desk.key');
  const status = group
    .command('status')
    .description('show whether the credential store can be used')
    .action(() => run.withDesk('nothing', showVault));
  example(status, 'vault status --json');
};
