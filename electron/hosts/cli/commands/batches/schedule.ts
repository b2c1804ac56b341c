import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BatchProgress, BatchSchedule } from '../../../../../shared/contract/batches.ts';
import { isSentImmediately } from '../../../../../shared/rules/batches/times.ts';
import { wholeNumberOption } from '../../input/options.ts';
import { parseFrom, toShownTime } from '../../input/times.ts';
import { count } from '../../output/text.ts';
import { LATER_SEND_ADVICE } from '../outbox/sending.ts';

/** Options for when and how fast a batch is sent. */
export interface ScheduleOptions {
  readonly at?: number;
  readonly hours?: NonNullable<BatchSchedule['hours']>;
  readonly perHour?: number;
}

export function addScheduleOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--at <time>', `send no row before this time: ${LATER_SEND_ADVICE}`).argParser(
        parseFrom,
      ),
    )
    .addOption(
      new Option(
        '--hours <from-until>',
        'send only from Monday to Friday, between these hours in Swedish time, such as 8-17',
      ).argParser(parseSendHours),
    )
    .addOption(
      wholeNumberOption('--per-hour <rows>', 'maximum number of rows per hour', 1, 10_000),
    );
}

function parseSendHours(text: string): NonNullable<BatchSchedule['hours']> {
  const [, from, until] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  const hours = { from: Number(from), until: Number(until) };
  if (hours.from < hours.until && hours.until <= 24) return hours;
  throw new InvalidArgumentError('Write two whole hours, the earlier one first (8-17).');
}

export function parseSchedule({ at, hours, perHour }: ScheduleOptions): BatchSchedule {
  return { startAt: at ?? null, hours: hours ?? null, perHour: perHour ?? null };
}

/** Whether rows have times of their own, until which they wait in the outbox. */
export const isScheduled = (options: ScheduleOptions): boolean =>
  !isSentImmediately(parseSchedule(options));

export function laterText({ waiting, nextAt }: BatchProgress): string {
  return `${count(waiting, 'row')} waiting until ${toShownTime(nextAt)}: ${LATER_SEND_ADVICE}.`;
}
