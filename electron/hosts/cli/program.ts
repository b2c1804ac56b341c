import { Command, Option } from 'commander';
import type { AddCommands, Runner } from './session/group.ts';
import type { Io } from './output/io.ts';

/** A first word, as the list of commands shows it; what follows it comes with its feature. */
interface Feature {
  readonly name: string;
  readonly about: string;
  /** What stands behind its name, where that is no command. */
  readonly takes?: string;
  /** A command in itself, with options of its own, and not a group of commands. */
  readonly hasOptions?: true;
  readonly load: () => Promise<AddCommands>;
}

/** Made from all the others. */
const COMPLETION = 'completion';

/** In the order of the list. */
const features: readonly Feature[] = [
  {
    name: 'connections',
    about: 'the services this desk works with',
    load: async () => (await import('./commands/connections/commands.ts')).connectionCommands,
  },
  {
    name: 'sync',
    about: 'read what changed on the services',
    hasOptions: true,
    load: async () => (await import('./commands/sync/commands.ts')).syncCommands,
  },
  {
    name: 'agreements',
    about: 'agreements on the services',
    load: async () => (await import('./commands/agreements/commands.ts')).agreementCommands,
  },
  {
    name: 'uploads',
    about: 'v2: files that wait for their agreement',
    load: async () => (await import('./commands/uploads.ts')).uploadCommands,
  },
  {
    name: 'drafts',
    about: 'agreements not sent yet',
    load: async () => (await import('./commands/drafts/commands.ts')).draftCommands,
  },
  {
    name: 'intake',
    about: 'folders whose PDFs become drafts',
    load: async () => (await import('./commands/intake/commands.ts')).intakeCommands,
  },
  {
    name: 'people',
    about: 'the address book',
    load: async () => (await import('./commands/people/commands.ts')).peopleCommands,
  },
  {
    name: 'open',
    takes: '<link-or-file>',
    about: 'what a link leads to, or the draft of a link or a file',
    hasOptions: true,
    load: async () => (await import('./commands/links.ts')).linkCommands,
  },
  {
    name: 'templates',
    about: 'PDF forms',
    load: async () => (await import('./commands/templates/commands.ts')).templateCommands,
  },
  {
    name: 'batch',
    about: 'agreements from spreadsheets: .csv, .xlsx or .ods',
    load: async () => (await import('./commands/batches/commands.ts')).batchCommands,
  },
  {
    name: 'outbox',
    about: 'what is going out',
    load: async () => (await import('./commands/outbox/commands.ts')).outboxCommands,
  },
  {
    name: 'office',
    about: 'several desks that share a PostgreSQL database, so that nothing goes out twice',
    load: async () => (await import('./commands/office/commands.ts')).officeCommands,
  },
  {
    name: 'identities',
    about: 'persons who sign for the company',
    load: async () => (await import('./commands/identities.ts')).identityCommands,
  },
  {
    name: 'signing',
    about: 'signatures of the company',
    load: async () => (await import('./commands/signing.ts')).signingCommands,
  },
  {
    name: 'evidence',
    about: 'the log of reviews and signatures',
    load: async () => (await import('./commands/evidence/commands.ts')).evidenceCommands,
  },
  {
    name: 'archive',
    about: 'signed PDFs in a folder of yours',
    load: async () => (await import('./commands/archive/commands.ts')).archiveCommands,
  },
  {
    name: 'backup',
    about: 'all data in one file that a recovery phrase opens, and back again',
    load: async () => (await import('./commands/backup/commands.ts')).backupCommands,
  },
  {
    name: 'privacy',
    about: 'how long things stay on this computer, and the room they take',
    load: async () => (await import('./commands/privacy/commands.ts')).privacyCommands,
  },
  {
    name: 'takeout',
    about: 'everything in open formats, out of this desk and into another',
    load: async () => (await import('./commands/takeout/commands.ts')).takeoutCommands,
  },
  {
    name: 'reminders',
    about: 'v1: parties that are reminded by rule',
    load: async () => (await import('./commands/reminders/commands.ts')).reminderCommands,
  },
  {
    name: 'digest',
    about: 'what happened since the digest before',
    hasOptions: true,
    load: async () => (await import('./commands/digest.ts')).digestCommands,
  },
  {
    name: 'run-due',
    about: 'remind, take in files, archive, back up, and remove what is no longer kept',
    hasOptions: true,
    load: async () => (await import('./commands/archive/run-due.ts')).dueCommands,
  },
  {
    name: 'report',
    about: 'write the list of agreements as CSV or XLSX',
    hasOptions: true,
    load: async () => (await import('./commands/reports.ts')).reportCommands,
  },
  {
    name: 'board',
    about: 'the numbers of the office: what waits, how long signing takes, what expires or failed',
    hasOptions: true,
    load: async () => (await import('./commands/board.ts')).boardCommands,
  },
  {
    name: 'vault',
    about: 'where credentials are kept',
    load: async () => (await import('./commands/vault.ts')).vaultCommands,
  },
  {
    name: 'network',
    about: 'proxy and certificates of this computer',
    load: async () => (await import('./commands/network.ts')).networkCommands,
  },
  {
    name: 'updates',
    about: 'newer versions of this program, where an office offers them',
    load: async () => (await import('./commands/updates.ts')).updateCommands,
  },
  {
    name: 'demo',
    about: 'do the main job on the built-in service, start to end, with a summary',
    hasOptions: true,
    load: async () => (await import('./commands/demo/commands.ts')).demoCommands,
  },
  {
    name: 'doctor',
    about: 'versions, paths, credential store, database, network, clocks; nothing secret',
    load: async () => (await import('./commands/doctor.ts')).doctorCommands,
  },
  {
    name: COMPLETION,
    about: 'completion for a shell',
    load: async () => (await import('./commands/completion.ts')).completionCommands,
  },
];

const AFTERWORD = `
Secrets are read from standard input or from a variable (--secret-env), never from an argument.
Times are ISO 8601; those printed are in UTC. An ID that two connections know is CONNECTION:ID.

Variables:
  SIGNING_DESK_DATA   as --data
  SIGNING_DESK_VAULT  as --vault

Exit codes: 0 done, 1 unexpected, 2 wrong usage, 3 invalid input, 4 credentials, 5 unreachable,
6 done in part, 7 a person must decide, 8 conflict, 130 stopped

Example:
  signing-desk connections test demo`;

/**
 * The tree of commands. Those that no word of `argv` names are in it with what the list says of them
 * alone, since the code of each costs every start. Mistakes are thrown as commander's errors, and
 * nothing is printed.
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
    .option('--data <folder>', 'the data folder')
    .option('--vault <store>', 'keychain, or keyfile:PATH for unattended runs')
    .addHelpText('after', AFTERWORD)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text),
      // The one who called says what is wrong, in the form that was asked for.
      writeErr: () => undefined,
    });
  const isNamed = (name: string): boolean => argv.includes(name) || argv.includes(COMPLETION);
  for (const { name, takes = '', about, hasOptions = false, load } of features) {
    const command = program.command(`${name} ${takes}`.trim()).description(about);
    if (isNamed(name)) (await load())(command, run);
    // The list of commands then says `[options]`, as it does where they are known.
    else if (hasOptions) command.addOption(new Option('--any').hideHelp());
  }
  return program;
}
