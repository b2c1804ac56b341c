import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { boardDays, BoardDays } from '../../../../shared/contract/board.ts';
import {
  boardPlots,
  type BoardWords,
  type PlotName,
  plotNames,
} from '../../../../shared/rules/board/plots.ts';
import { type Answer, answer } from '../output/answer.ts';
import { firstSync } from './sync/first-sync.ts';
import { type AddCommands, example } from '../session/group.ts';
import { choiceOption, connectionOption } from '../input/options.ts';
import { toIsoText } from '../input/times.ts';
import { connectionQuery } from '../session/names.ts';
import type { Session } from '../session/session.ts';
import { count, table } from '../output/text.ts';
import { DAY, HOUR, MINUTE } from '../../../../shared/rules/time/units.ts';

interface BoardOptions {
  readonly connection?: string;
  readonly days: BoardDays;
  readonly plot?: readonly PlotName[];
  readonly out?: string;
}

const wordWithDays = (days: number, to: string) => `${to} ${days === 1 ? 'day' : 'days'}`;
const localDayOf = (at: number) => {
  const day = new Date(at);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
};

/** English texts: the command line is in English on systems of every language. */
const boardTexts: BoardWords = {
  title: {
    waiting: 'Waiting by age',
    signing: 'Time to signature by month',
    templates: 'Time to signature by template',
    expiring: 'Expiring agreements',
    failed: 'Failures',
  },
  lead: {
    waiting: 'Open agreements by number of days since they were sent.',
    signing:
      'From sending to the last signature, by month of the last signature, for twelve months.',
    templates: 'From sending to the last signature, for the last twelve months.',
    expiring: 'Open agreements by expiry date.',
    failed: 'Failures now, and actions refused in the last 30 days.',
  },
  group: {
    waiting: 'Days since sent',
    signing: 'Month (agreements)',
    templates: 'Template (agreements)',
    expiring: 'Expires',
    failed: 'Failure',
  },
  agreements: 'Agreements',
  number: 'Number',
  median: 'Median',
  ninety: '90% within',
  inDays: 'days',
  noTemplate: 'no template known',
  failed: {
    'send-refused': 'sends that the service refused',
    'send-unclear': 'sends with an unknown outcome',
    'action-refused': 'actions that the service refused',
    'action-unclear': 'actions with an unknown outcome',
    'archive-file': 'changed or missing archived files',
    'archive-run': 'agreements not archived in the last run of a rule',
  },
  leftOut: (what, left) =>
    `${
      {
        unsent: 'Excluded, because the time of sending is not known',
        untimed: 'Excluded, because the time of sending or signing is not known',
        templates: 'Other templates, not shown',
        unexpiring: 'Excluded, because the expiry is not known',
        past: 'Past their expiry, but still open',
      }[what]
    }: ${left}.`,
  age: (from, to) => {
    if (to === null) return `${wordWithDays(from, String(from))} or more`;
    return from === to ? wordWithDays(from, String(from)) : wordWithDays(to, `${from}-${to}`);
  },
  month: (name) => name,
  days: (from, to) => {
    const [first, last] = [localDayOf(from), localDayOf(to - DAY / 2)];
    return first === last ? first : `${first} to ${last}`;
  },
  count: String,
  duration: (milliseconds) => {
    if (milliseconds < HOUR) return count(Math.round(milliseconds / MINUTE), 'minute');
    if (milliseconds < 2 * DAY) return count(Math.round(milliseconds / HOUR), 'hour');
    const days = Math.round((milliseconds / DAY) * 10) / 10;
    return wordWithDays(days, String(days));
  },
};

/** `board`: shows the numbers of the office, from the copies on this computer. */
async function showBoard(session: Session, options: BoardOptions): Promise<Answer> {
  await firstSync(session, options.connection);
  const { days, out, plot: names = plotNames } = options;
  const board = await session.api['board.read']({
    ...(await connectionQuery(session, options.connection)),
    days,
  });
  const all = boardPlots(board, boardTexts);
  const plots = [...new Set(names)].map((name) => all[name]);
  if (out !== undefined) {
    const form = out.toLowerCase().endsWith('.svg') ? 'svg' : 'csv';
    const saved = await session.api['board.save']({ file: path.resolve(out), form, plots });
    const { file, bytes, sha256 } = saved;
    const text = `${count(plots.length, 'chart')} in ${file} (${bytes} bytes, SHA-256 ${sha256}).`;
    return answer(saved, text);
  }
  const parts = plots.map(({ title, notes, group, series, groups }) => {
    const rows = groups.map(({ label, values }) => [label, ...values.map(({ text }) => text)]);
    const headings = [group, ...series].map((one) => one.toUpperCase());
    return [title, ...notes, table(headings, rows, 'No data.')].join('\n');
  });
  return answer({ ...board, at: toIsoText(board.at) }, parts.join('\n\n'));
}

function parsePlotFile(file: string): string {
  if (/\.(?:csv|svg)$/i.test(file)) return file;
  throw new InvalidArgumentError('Write a name that ends in .csv or .svg.');
}

const EXPIRY_DAYS_HELP = 'show agreements that expire within this number of days';

export const boardCommands: AddCommands = (command, run) => {
  command
    .addOption(connectionOption())
    .addOption(
      choiceOption('--days <days>', EXPIRY_DAYS_HELP, boardDays.map(String))
        .argParser(parseBoardDays)
        .default(30 satisfies BoardDays),
    )
    .addOption(choiceOption('--plot <plot...>', 'show only these charts', plotNames))
    .option(
      '--out <file>',
      'output file: .csv, or .svg for one chart; an existing file is never overwritten',
      parsePlotFile,
    )
    .action((options: BoardOptions) =>
      run.withDesk('data', (session) => showBoard(session, options)),
    );
  example(command, 'board --days 14 --json');
  example(command, 'board --plot signing --out signing.svg');
};

function parseBoardDays(text: string): BoardDays {
  const days = BoardDays.safeParse(Number(text));
  if (days.success) return days.data;
  throw new InvalidArgumentError(`Write one of ${boardDays.join(', ')}.`);
}
