import path from 'node:path';
import type { Batch, BatchMapping } from '../../../../../shared/contract/batches.ts';
import type { Connection } from '../../../../../shared/contract/connections.ts';
import {
  type SheetChoices,
  SheetDelimiter,
  SheetEncoding,
} from '../../../../../shared/contract/sheets.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { mappingFrom } from '../../../../../shared/rules/batches/mapping-file.ts';
import { readOrdinaryFile } from './bytes.ts';
import { readJson } from '../../input/local-files.ts';
import { connectionNamed } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';
import { templateNamed } from '../templates/names.ts';

export interface FileOptions {
  readonly template: string;
  readonly connection: string;
  readonly mapping?: string;
  readonly sheet?: string;
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly hidden?: 'skip' | 'read';
  readonly acceptGuesses?: boolean;
}

const namedDelimiters = new Map([
  ['tab', '\t'],
  ['semicolon', ';'],
  ['comma', ','],
  ['bar', '|'],
]);

/** Reads a spreadsheet into a new batch, ready to be checked. */
export async function openBatch(
  session: Session,
  file: string,
  options: FileOptions,
): Promise<{ readonly batch: Batch; readonly connection: Connection }> {
  const { api } = session;
  const template = await templateNamed(session, options.template);
  const connection = await connectionNamed(session, options.connection);
  const mapping =
    options.mapping === undefined ? null : await readMapping(options.mapping, connection);
  const created = await api['batches.create']({
    name: path.parse(file).name,
    fileName: path.basename(file),
    bytes: session.giveBytes(await readOrdinaryFile(file)),
    choices: sheetChoicesOf(options),
    connectionId: connection.id,
    templateId: template.id,
  });
  try {
    const batch =
      mapping === null ? created : await api['batches.setMapping']({ id: created.id, mapping });
    return { batch, connection };
  } catch (error) {
    await api['batches.remove']({ id: created.id });
    throw error;
  }
}

/** Reads the create body without attachments, and the key `fields` next to it. */
async function readMapping(file: string, { api }: Connection): Promise<BatchMapping> {
  const mapping = mappingFrom(await readJson(file), api);
  if (mapping !== null) return mapping;
  const message = `${file} must contain the JSON of an agreement for API ${api}; "fields" must have texts`;
  throw new AppError('invalid', message, { reason: 'mapping-form' });
}

function sheetChoicesOf({ sheet, delimiter, encoding, hidden }: FileOptions): SheetChoices {
  const sign =
    delimiter === undefined
      ? undefined
      : SheetDelimiter.safeParse(namedDelimiters.get(delimiter) ?? delimiter);
  if (sign?.success === false) {
    throw new AppError('invalid', 'Write one of ; , | or tab after --delimiter');
  }
  const letters = encoding === undefined ? undefined : SheetEncoding.safeParse(encoding);
  if (letters?.success === false) {
    const names = SheetEncoding.options.join(', ');
    throw new AppError('invalid', `Write one of these after --encoding: ${names}`);
  }
  return {
    ...(sheet !== undefined && { sheet }),
    ...(sign !== undefined && { delimiter: sign.data }),
    ...(letters !== undefined && { encoding: letters.data }),
    ...(hidden !== undefined && { hidden }),
  };
}
