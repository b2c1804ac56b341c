import { type Command, Option } from 'commander';
import {
  AgreementFilter,
  AgreementSort,
  SortDirection,
} from '../../../../../shared/contract/agreement-query.ts';
import { AgreementState } from '../../../../../shared/model/agreement.ts';
import { connectionQuery } from '../../session/names.ts';
import { choiceOption, connectionOption, wholeNumberOption } from '../../input/options.ts';
import type { Session } from '../../session/session.ts';
import { parseFrom, parseUntil } from '../../input/times.ts';
import { DAY } from '../../../../../shared/rules/time/units.ts';

/** Maximum number of days, ten years; no agreement expires later. */
const MAX_DAYS = 3650;

/** Options that choose the agreements of a command, and their order. */
export interface FilterOptions {
  readonly connection?: string;
  readonly state?: readonly AgreementState[];
  readonly search?: string;
  readonly tag?: string;
  readonly template?: string;
  /** Number of days from now until the expiry. */
  readonly expiring?: number;
  readonly myTurn?: true;
  readonly archived?: true;
  readonly notArchived?: true;
  readonly gone?: true;
  readonly notGone?: true;
  readonly closedFrom?: number;
  readonly closedTo?: number;
  readonly updatedFrom?: number;
  readonly updatedTo?: number;
  readonly expiresFrom?: number;
  readonly expiresTo?: number;
  readonly sort?: AgreementSort;
  readonly direction?: SortDirection;
}

export function addFilterOptions(command: Command): Command {
  const flag = (flags: string, about: string, other: string) =>
    command.addOption(new Option(flags, about).conflicts(other));
  command
    .addOption(connectionOption())
    .addOption(
      choiceOption(
        '--state <state...>',
        'only agreements with these statuses',
        AgreementState.options,
      ),
    )
    .option('--search <text>', 'only agreements with words that begin with words of this text')
    .option(
      '--tag <tag>',
      'v1: only agreements with this tag, written as `<key>` or `<key>=<value>`',
    )
    .option(
      '--template <id>',
      'v2: only agreements made from this template, as far as the program knows',
    )
    .option('--my-turn', 'only agreements that your company can sign now');
  flag('--archived', 'only agreements whose PDF is saved in an archive', 'notArchived');
  flag('--not-archived', 'only agreements whose PDF is not saved in an archive', 'archived');
  flag('--gone', 'only agreements that the service no longer shows', 'notGone');
  flag('--not-gone', 'only agreements that the service still shows', 'gone');
  const expiring = '--expiring <days>';
  command.addOption(
    wholeNumberOption(
      expiring,
      'only open agreements that expire within this number of days',
      0,
      MAX_DAYS,
    ).conflicts(['state', 'expiresFrom', 'expiresTo']),
  );
  for (const what of ['closed', 'updated', 'expires'] as const) {
    const past = what === 'expires' ? 'expiring' : what;
    command
      .option(`--${what}-from <date>`, `only agreements ${past} on this day or later`, parseFrom)
      .option(`--${what}-to <date>`, `only agreements ${past} on this day or earlier`, parseUntil);
  }
  return command
    .addOption(
      choiceOption('--sort <by>', 'sort by this value', AgreementSort.options).default('updated'),
    )
    .addOption(choiceOption('--direction <way>', 'sort direction', SortDirection.options));
}

/** Returns the part of a query that the options set. */
export async function filterOf(
  session: Session,
  options: FilterOptions,
  now: number = Date.now(),
): Promise<AgreementFilter & { sort: AgreementSort; direction?: SortDirection }> {
  const { connection, state, template, sort = 'updated', direction, expiring, ...rest } = options;
  const { archived, notArchived, gone, notGone, ...remaining } = rest;
  return {
    ...(await connectionQuery(session, connection)),
    ...sameNamedFilters(remaining),
    ...(state !== undefined && { states: [...state] }),
    ...(template !== undefined && { templateId: template }),
    ...booleanFilterOf('archived', archived, notArchived),
    ...booleanFilterOf('gone', gone, notGone),
    ...(expiring !== undefined && {
      states: ['waiting', 'part-signed', 'unknown'] as const satisfies AgreementState[],
      expiresFrom: now,
      expiresTo: now + expiring * DAY,
    }),
    sort,
    ...(direction !== undefined && { direction }),
  };
}

const booleanFilterOf = (name: 'archived' | 'gone', is?: true, isNot?: true) =>
  is === isNot ? {} : { [name]: is === true };

/**
 * Returns the options whose names are the same in the query; other options of the command are
 * skipped.
 */
function sameNamedFilters(options: FilterOptions): AgreementFilter {
  const named = Object.entries(options).filter(
    ([name, value]) => Object.hasOwn(AgreementFilter.shape, name) && value !== undefined,
  );
  return AgreementFilter.parse(Object.fromEntries(named));
}
