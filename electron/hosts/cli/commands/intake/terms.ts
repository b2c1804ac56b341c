import path from 'node:path';
import { type Command, Option } from 'commander';
import type { IntakeTerms } from '../../../../../shared/contract/intake.ts';
import { ApiName } from '../../../../../shared/model/ids.ts';
import { choiceOption } from '../../input/options.ts';
import { connectionNamed } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';
import { templateNamed } from '../templates/names.ts';

/** Options for files that bring no data, such as a sidecar file. */
export interface TermOptions {
  readonly api?: ApiName;
  readonly connection?: string;
  readonly template?: string;
  readonly needsData?: boolean;
}

export function addTermOptions(command: Command): Command {
  return command
    .addOption(
      choiceOption(
        '--api <api>',
        'API of the drafts, unless the data of a file names an API',
        ApiName.options,
      ),
    )
    .option('--connection <name>', 'connection for sending the drafts (see `connections list`)')
    .option('--template <name>', 'template for the drafts (see `templates list`)')
    .addOption(
      new Option(
        '--needs-data',
        'import a PDF only if it has a .json file or a row in a spreadsheet',
      ),
    )
    .addOption(
      new Option(
        '--no-needs-data',
        'import a PDF also without a .json file or a row in a spreadsheet',
      ),
    );
}

export const hasTerms = (options: TermOptions): boolean =>
  [options.api, options.connection, options.template, options.needsData].some(
    (one) => one !== undefined,
  );

/** Applies the options to a folder's settings; the connection or template determines the API. */
export async function applyTermOptions(
  session: Session,
  before: Omit<IntakeTerms, 'folder'>,
  folder: string,
  { api, connection, template, needsData }: TermOptions,
): Promise<IntakeTerms> {
  const through = connection === undefined ? null : await connectionNamed(session, connection);
  const on = template === undefined ? null : await templateNamed(session, template);
  const said = api ?? on?.api ?? through?.api;
  // Settings that were stored for another API do not fit any more.
  const isOther = said !== undefined && said !== before.api;
  return {
    folder: path.resolve(folder),
    api: said ?? before.api,
    connectionId: through?.id ?? (isOther ? null : before.connectionId),
    templateId: on?.id ?? (isOther ? null : before.templateId),
    needsData: needsData ?? before.needsData,
  };
}

export const defaultTerms: Omit<IntakeTerms, 'folder'> = {
  api: 'v1',
  connectionId: null,
  templateId: null,
  needsData: false,
};
