import type { Command } from 'commander';
import {
  ArchiveExtraFile,
  type ArchiveFilter,
  MAX_PARALLEL_DOWNLOADS,
} from '../../../../../shared/contract/archive.ts';
import { connectionQuery } from '../../session/names.ts';
import { choiceOption, connectionOption, wholeNumberOption } from '../../input/options.ts';
import type { Session } from '../../session/session.ts';
import { parseFrom, parseUntil } from '../../input/times.ts';

/** Agreements to archive, their folder, and their file names. */
export interface ArchiveOptions {
  readonly to: string;
  readonly connection?: string;
  readonly since?: number;
  readonly until?: number;
  readonly tag?: string;
  readonly template?: string;
  readonly search?: string;
  readonly state?: ArchiveFilter['states'];
  readonly name?: string;
  readonly subfolder?: string;
  readonly with?: readonly ArchiveExtraFile[];
  readonly parallel?: number;
}

export function addArchiveOptions(command: Command): Command {
  return command
    .requiredOption('--to <folder>', 'target folder; created if its parent folder exists')
    .addOption(connectionOption())
    .option('--since <date>', 'only agreements closed on this day or later', parseFrom)
    .option('--until <date>', 'only agreements closed on this day or earlier', parseUntil)
    .option(
      '--tag <tag>',
      'v1: only agreements with this tag, written as `<key>` or `<key>=<value>`',
    )
    .option(
      '--template <id>',
      'v2: only agreements made from this template, as far as the program knows',
    )
    .option('--search <text>', 'only agreements with words that begin with words of this text')
    .addOption(
      choiceOption(
        '--state <state...>',
        'statuses of the agreements to save (default: signed); agreements that are not signed are saved as unsigned copies',
        ['signed', 'rejected', 'revoked', 'expired'],
      ),
    )
    .option(
      '--name <pattern>',
      'pattern for the file names, for example {closed:yyyy-MM-dd}_{title}_{id8}',
    )
    .option(
      '--subfolder <pattern>',
      'pattern for the names of subfolders, for example {connection}/{closed:yyyy}',
    )
    .addOption(
      choiceOption('--with <what...>', 'files to save next to each PDF', ArchiveExtraFile.options),
    )
    .addOption(
      wholeNumberOption(
        '--parallel <n>',
        'number of downloads at the same time',
        1,
        MAX_PARALLEL_DOWNLOADS,
      ),
    );
}

/** Returns the part of a run or a rule that the options set. */
export async function archiveSettingsFrom(session: Session, options: ArchiveOptions) {
  const { since, until, tag, template, search, state } = options;
  const filter: ArchiveFilter = {
    ...(await connectionQuery(session, options.connection)),
    ...(since !== undefined && { closedFrom: since }),
    ...(until !== undefined && { closedTo: until }),
    ...(tag !== undefined && { tag }),
    ...(template !== undefined && { templateId: template }),
    ...(search !== undefined && { search }),
    ...(state !== undefined && { states: state }),
  };
  return {
    filter,
    beside: [...(options.with ?? [])],
    ...(options.name !== undefined && { pattern: options.name }),
    ...(options.subfolder !== undefined && { subfolder: options.subfolder }),
    ...(options.parallel !== undefined && { parallel: options.parallel }),
  };
}
