import { type Command, Option } from 'commander';
import {
  SelectedStateV1,
  SelectedStatusV2,
  Selection,
} from '../../../../../shared/contract/agreement-selection.ts';
import type { Connection } from '../../../../../shared/contract/connections.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { parseFrom, parseUntil } from '../../input/times.ts';

/** Options that narrow a `sync` to agreements that the service selects. */
export interface SelectionOptions {
  readonly only?: string;
  readonly template?: string;
  /** Start of the period (epoch ms). */
  readonly from?: number;
  readonly to?: number;
}

const STATUS_WORDS = [
  ...new Set<string>([...SelectedStateV1.options, ...SelectedStatusV2.options]),
];

export function addSelection(command: Command): Command {
  const narrowing = (flags: string, about: string) => new Option(flags, about).conflicts(['full']);
  return command
    .addOption(
      narrowing('--only <state>', 'only agreements with this status, as the API names it').choices(
        STATUS_WORDS,
      ),
    )
    .addOption(
      narrowing('--from <date>', 'only agreements with activity on this day or later').argParser(
        parseFrom,
      ),
    )
    .addOption(
      narrowing('--to <date>', 'only agreements with activity on this day or earlier').argParser(
        parseUntil,
      ),
    )
    .addOption(narrowing('--template <id>', 'v2: only agreements made from this template'));
}

/**
 * Returns the selection of the options; null if no option narrows it.
 * @throws AppError 'invalid' for selections that the API does not support.
 */
export function selectionOf(
  { api }: Pick<Connection, 'api'>,
  options: SelectionOptions,
): Selection | null {
  const { only, template, from, to } = options;
  if ([only, template, from, to].every((one) => one === undefined)) return null;
  const dates = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  if (api === 'v2') {
    const named = { ...(template !== undefined && { templateId: template }), ...dates };
    return parseSelection({ status: only ?? 'ALL', ...named }, SelectedStatusV2.options);
  }
  if (template !== undefined) rejectSelection('template', 'API v1 has no templates');
  if (only === undefined) return parseSelection({ active: dates }, []);
  if (Object.keys(dates).length > 0)
    rejectSelection('only', 'API v1 selects by a status or by dates');
  return parseSelection({ state: only }, SelectedStateV1.options);
}

function parseSelection(value: unknown, words: readonly string[]): Selection {
  const found = Selection.safeParse(value);
  if (found.success) return found.data;
  return rejectSelection('only', `This API selects by ${words.join(', ')}`);
}

function rejectSelection(field: string, message: string): never {
  throw new AppError('invalid', message, { fields: { [field]: message } });
}
