import { Command } from 'commander';
import { agreementCommands } from './commands/agreements/commands.ts';
import { archiveCommands } from './commands/archive/commands.ts';
import { batchCommands } from './commands/batches/commands.ts';
import { completionCommands } from './commands/completion.ts';
import { connectionCommands } from './commands/connections/commands.ts';
import { demoCommands } from './commands/demo/commands.ts';
import { doctorCommands } from './commands/doctor.ts';
import { draftCommands } from './commands/drafts/commands.ts';
import { evidenceCommands } from './commands/evidence/commands.ts';
import type { Runner } from './session/group.ts';
import { identityCommands } from './commands/identities.ts';
import type { Io } from './output/io.ts';
import { outboxCommands } from './commands/outbox/commands.ts';
import { reportCommands } from './commands/reports.ts';
import { signingCommands } from './commands/signing.ts';
import { syncCommands } from './commands/sync/commands.ts';
import { templateCommands } from './commands/templates/commands.ts';
import { uploadCommands } from './commands/uploads.ts';
import { vaultCommands } from './commands/vault.ts';

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
