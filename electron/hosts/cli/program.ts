import { Command, Option } from 'commander';
import type { AddCommands, Runner } from './session/group.ts';
import type { Io } from './output/io.ts';

/**
 * First word of commands, as the list of commands shows it; the rest is loaded with its feature.
 */
interface CommandFeature {
  readonly name: string;
  readonly about: string;
  /** Arguments after the name, unless they are commands. */
  readonly takes?: string;
  /** True for a single command with options, not a group of commands. */
  readonly hasOptions?: true;
  readonly load: () => Promise<AddCommands>;
}

/** Name of the command that is built from all other commands. */
const COMPLETION_COMMAND = 'completion';

const features: readonly CommandFeature[] = [
  {
    name: 'connections',
    about: 'manage the connections to agreement services',
    load: async () => (await import('./commands/connections/commands.ts')).connectionCommands,
  },
  {
    name: 'sync',
    about: 'read new and changed agreements from the services',
    hasOptions: true,
    load: async () => (await import('./commands/sync/commands.ts')).syncCommands,
  },
  {
    name: 'agreements',
    about: 'list, show and change agreements on the services',
    load: async () => (await import('./commands/agreements/commands.ts')).agreementCommands,
  },
  {
    name: 'uploads',
    about: 'v2: manage uploaded files that no agreement uses yet',
    load: async () => (await import('./commands/uploads.ts')).uploadCommands,
  },
  {
    name: 'drafts',
    about: 'prepare, check and send agreements',
    load: async () => (await import('./commands/drafts/commands.ts')).draftCommands,
  },
  {
    name: 'folders',
    about: 'manage watched folders, whose PDFs become drafts',
    load: async () => (await import('./commands/intake/commands.ts')).intakeCommands,
  },
  {
    name: 'people',
    about: 'manage the address book',
    load: async () => (await import('./commands/people/commands.ts')).peopleCommands,
  },
  {
    name: 'open',
    takes: '<link-or-file>',
    about: 'show the agreement that a link points to, or add the draft in a link or a file',
    hasOptions: true,
    load: async () => (await import('./commands/links.ts')).linkCommands,
  },
  {
    name: 'templates',
    about: 'manage templates and PDF forms',
    load: async () => (await import('./commands/templates/commands.ts')).templateCommands,
  },
  {
    name: 'batch',
    about: 'send agreements from a spreadsheet: .csv, .xlsx or .ods',
    load: async () => (await import('./commands/batches/commands.ts')).batchCommands,
  },
  {
    name: 'outbox',
    about: 'show and manage pending and sent agreements',
    load: async () => (await import('./commands/outbox/commands.ts')).outboxCommands,
  },
  {
    name: 'office',
    about: 'share a PostgreSQL database between computers, so that nothing is sent twice',
    load: async () => (await import('./commands/office/commands.ts')).officeCommands,
  },
  {
    name: 'identities',
    about: 'manage the people who sign for the company',
    load: async () => (await import('./commands/identities.ts')).identityCommands,
  },
  {
    name: 'signing',
    about: 'review, approve and sign agreements for the company',
    load: async () => (await import('./commands/signing.ts')).signingCommands,
  },
  {
    name: 'evidence',
    about: 'list, export and verify the log of reviews and signatures',
    load: async () => (await import('./commands/evidence/commands.ts')).evidenceCommands,
  },
  {
    name: 'archive',
    about: 'save signed PDFs in a folder that you choose',
    load: async () => (await import('./commands/archive/commands.ts')).archiveCommands,
  },
  {
    name: 'backup',
    about: 'back up all data in an encrypted file, and restore it',
    load: async () => (await import('./commands/backup/commands.ts')).backupCommands,
  },
  {
    name: 'privacy',
    about: 'set how long data stays on this computer, and show its size',
    load: async () => (await import('./commands/privacy/commands.ts')).privacyCommands,
  },
  {
    name: 'data',
    about: 'export or import all data in open formats',
    load: async () => (await import('./commands/takeout/commands.ts')).takeoutCommands,
  },
  {
    name: 'reminders',
    about: 'v1: remind parties automatically',
    load: async () => (await import('./commands/reminders/commands.ts')).reminderCommands,
  },
  {
    name: 'summary',
    about: 'show what happened since the last daily summary',
    hasOptions: true,
    load: async () => (await import('./commands/digest.ts')).digestCommands,
  },
  {
    name: 'run-due',
    about: 'run all scheduled jobs that are due',
    hasOptions: true,
    load: async () => (await import('./commands/archive/run-due.ts')).dueCommands,
  },
  {
    name: 'report',
    about: 'save a list of agreements as CSV or XLSX',
    hasOptions: true,
    load: async () => (await import('./commands/reports.ts')).reportCommands,
  },
  {
    name: 'board',
    about: 'show statistics: waiting and expiring agreements, time to signature, and failures',
    hasOptions: true,
    load: async () => (await import('./commands/board.ts')).boardCommands,
  },
  {
    name: 'vault',
    about: 'check the credential store, or create a key file',
    load: async () => (await import('./commands/vault.ts')).vaultCommands,
  },
  {
    name: 'network',
    about: 'show or change the proxy and the trusted certificates',
    load: async () => (await import('./commands/network.ts')).networkCommands,
  },
  {
    name: 'updates',
    about: 'check for newer versions, if your office has an update feed',
    load: async () => (await import('./commands/updates.ts')).updateCommands,
  },
  {
    name: 'demo',
    about: 'send, sign and archive sample agreements on the built-in demo service',
    hasOptions: true,
    load: async () => (await import('./commands/demo/commands.ts')).demoCommands,
  },
  {
    name: 'doctor',
    about: 'check the versions, paths, credential store, database, network and clocks',
    load: async () => (await import('./commands/doctor.ts')).doctorCommands,
  },
  {
    name: COMPLETION_COMMAND,
    about: 'print the completion script for a shell',
    load: async () => (await import('./commands/completion.ts')).completionCommands,
  },
];

const HELP_FOOTER = `
Secrets are read from standard input or an environment variable (as with --secret-env), never
from an argument.
Write times as ISO 8601, such as 2026-11-20T08:00Z. Printed times are in UTC.
If an ID exists in several connections, write <connection>:<ID>.

Environment variables:
  SIGNING_DESK_DATA   the same as --data
  SIGNING_DESK_VAULT  the same as --vault

Exit codes: 0 done, 1 unexpected error, 2 wrong usage, 3 invalid input, 4 credentials refused,
5 service unreachable, 6 done in part or attention needed (see the help of the command),
7 decision needed, 8 conflict, 130 stopped

Example:
  signing-desk connections test demo`;

/**
 * Builds the tree of commands. Commands that no word of `argv` names contain only their line in the
 * list, because loading the code of each slows every start. Mistakes are thrown as commander's
 * errors, and nothing is printed.
 */
export async function createProgram(
  io: Io,
  version: string,
  run: Runner,
  argv: readonly string[],
): Promise<Command> {
  const program = new Command('signing-desk')
    .description('Prepare, send, sign and archive digital agreements')
    .version(version)
    .option('--json', 'print exactly one JSON document')
    .option('--data <folder>', 'use this data folder')
    .option('--vault <store>', 'use this credential store: `keychain`, or `keyfile:<path>`')
    .addHelpText('after', HELP_FOOTER)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text),
      // The caller prints the error, in the requested form.
      writeErr: () => undefined,
    });
  const isNamed = (name: string): boolean =>
    argv.includes(name) || argv.includes(COMPLETION_COMMAND);
  for (const { name, takes = '', about, hasOptions = false, load } of features) {
    const command = program.command(`${name} ${takes}`.trim()).description(about);
    if (isNamed(name)) (await load())(command, run);
    // With this option, the list of commands shows `[options]`, as for loaded commands.
    else if (hasOptions) command.addOption(new Option('--any').hideHelp());
  }
  return program;
}
