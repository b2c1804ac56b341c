import { Command } from 'commander';
import { agreementCommands } from './agreements.ts';
import { archiveCommands } from './archive.ts';
import { batchCommands } from './batch-commands.ts';
import { completionCommands } from './completion.ts';
import { connectionCommands } from './connections.ts';
import { demoCommands } from './demo.ts';
import { doctorCommands } from './doctor.ts';
import { draftCommands } from './drafts.ts';
import { evidenceCommands } from './evidence.ts';
import type { Runner } from './group.ts';
import { identityCommands } from './identities.ts';
import type { Io } from './io.ts';
import { outboxCommands } from './outbox.ts';
import { reportCommands } from './report-command.ts';
import { signingCommands } from './signing.ts';
import { syncCommands } from './sync.ts';
import { templateCommands } from './templates.ts';
import { uploadCommands } from './uploads.ts';
import { vaultCommands } from './vault.ts';

const features = [
  connectionCommands,
  syncCommands,
  agreementCommands,
  uploadCommands,
  draftCommands,
  templateCommands,
  batchCommands,
  outboxCommands,
  identityCommands,
  signingCommands,
  evidenceCommands,
  archiveCommands,
  reportCommands,
  vaultCommands,
  demoCommands,
  doctorCommands,
  completionCommands,
] as const;

const AFTERWORD = `
Secrets are read from standard input or from a variable (--secret-env), never from an argument.
Times are ISO 8601; those printed are in UTC. An ID that two connections know is CONNECTION:ID.

Variables:
  SIGNING_DESK_DATA   the data folder
  SIGNING_DESK_VAULT  keychain, or keyfile:PATH for unattended runs

Exit codes: 0 done, 1 unexpected, 2 wrong usage, 3 invalid input, 4 credentials, 5 unreachable,
6 done in part, 7 a person must decide, 8 conflict, 130 stopped

Example:
  signing-desk connections test demo`;

/** Options that stand before or after any command. */
export interface GlobalOptions {
  readonly json?: true;
  readonly data?: string;
}

/** The tree of all commands. Mistakes are thrown as commander's errors, and nothing is printed. */
export function createProgram(io: Io, version: string, run: Runner): Command {
  const program = new Command('signing-desk')
    .description('Prepare, send, sign and archive digital agreements')
    .version(version)
    .option('--json', 'print exactly one JSON document')
    .option('--data <folder>', 'the data folder')
    .addHelpText('after', AFTERWORD)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text),
      // The one who called says what is wrong, in the form that was asked for.
      writeErr: () => undefined,
    });
  for (const addCommands of features) addCommands(program, run);
  return program;
}
