import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  OfficeHours,
  type ReminderFilter,
  type ReminderRuleDraft,
} from '../../../../../shared/contract/reminders.ts';
import { countryOfZone, holidayCountries } from '../../../../../shared/rules/time/holidays.ts';
import { choiceOption, wholeOption } from '../../input/options.ts';
import { connectionNamed } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';
import { templateNamed } from '../templates/names.ts';

/** What a rule is made of, as options; what is left out stays as it was. */
export interface RuleOptions {
  readonly first?: number;
  readonly every?: number;
  readonly most?: number;
  readonly hours?: Pick<OfficeHours, 'from' | 'to'>;
  readonly zone?: string;
  readonly country?: string;
  readonly connection?: readonly string[];
  readonly state?: readonly ('waiting' | 'part-signed')[];
  readonly tag?: string;
  readonly template?: string;
  readonly everybody?: boolean;
}

/** What holds where nothing is said; most offices are where their computer is. */
export function usualRule(name: string): ReminderRuleDraft {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    name,
    isOn: true,
    filter: { ownOnly: true },
    firstAfterDays: 5,
    everyDays: 3,
    most: 3,
    hours: { zone, from: '09:00', to: '16:00' },
    country: countryOfZone(zone) ?? 'SE',
  };
}

export function addRuleOptions(command: Command): Command {
  const days = 'so many days';
  return command
    .addOption(wholeOption('--first <days>', `after ${days} for the first time`, 1, 365))
    .addOption(wholeOption('--every <days>', `then every ${days}`, 1, 365))
    .addOption(wholeOption('--most <times>', 'at most so often', 1, 30))
    .addOption(new Option('--hours <from-to>', 'office hours (09:00-16:00)').argParser(hoursOption))
    .option('--zone <zone>', "the office's time zone (Europe/Stockholm)")
    .addOption(
      choiceOption(
        '--country <code>',
        "whose holidays count where a party's country is not known",
        holidayCountries,
      ),
    )
    .option('--connection <name...>', 'only these connections')
    .addOption(
      new Option('--state <state...>', 'only these states').choices(['waiting', 'part-signed']),
    )
    .option('--tag <key=value>', 'only with this tag')
    .option('--template <name>', 'only what was sent here in a batch from this template')
    .option('--everybody', 'also what other desks and programs sent')
    .option('--no-everybody', 'only what this desk sent');
}

function hoursOption(text: string): Pick<OfficeHours, 'from' | 'to'> {
  const [from = '', to = ''] = text.split('-');
  const parsed = OfficeHours.pick({ from: true, to: true }).safeParse({ from, to });
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('Write two times of day (09:00-16:00).');
}

/** The rule with what the options say of it. */
export async function changedRule(
  session: Session,
  before: ReminderRuleDraft,
  options: RuleOptions,
): Promise<ReminderRuleDraft> {
  const { first, every, most, hours, zone, country } = options;
  return {
    name: before.name,
    isOn: before.isOn,
    filter: await changedFilter(session, before.filter, options),
    firstAfterDays: first ?? before.firstAfterDays,
    everyDays: every ?? before.everyDays,
    most: most ?? before.most,
    hours: {
      zone: zone ?? before.hours.zone,
      from: hours?.from ?? before.hours.from,
      to: hours?.to ?? before.hours.to,
    },
    country: country ?? before.country,
  };
}

async function changedFilter(
  session: Session,
  before: ReminderFilter,
  { connection, state, tag, template, everybody }: RuleOptions,
): Promise<ReminderFilter> {
  const named = await Promise.all(
    (connection ?? []).map(async (name) => (await connectionNamed(session, name)).id),
  );
  const connectionIds = connection === undefined ? before.connectionIds : named;
  const templateId =
    template === undefined ? before.templateId : (await templateNamed(session, template)).id;
  return {
    connectionIds,
    states: state === undefined ? before.states : [...state],
    tag: tag ?? before.tag,
    templateId,
    ownOnly: everybody === undefined ? before.ownOnly : !everybody,
  };
}
