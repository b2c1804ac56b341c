import { readSheet } from '../../../electron/adapters/sheets/read/sheet.ts';
import type { ReadSheet } from '../../../electron/core/sheet-ports.ts';
import type { SheetChoices } from '../../../shared/contract/sheets.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';

export const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array =>
  new Uint8Array(Buffer.from(text, encoding));

export async function read(
  data: Uint8Array | string,
  choices: SheetChoices = {},
): Promise<ReadSheet> {
  return await readSheet(typeof data === 'string' ? bytes(data) : data, choices);
}

/** Returns why the file is rejected. Throws if the file is accepted. */
export async function refusal(
  data: Uint8Array | string,
  choices: SheetChoices = {},
): Promise<Failure> {
  try {
    await read(data, choices);
  } catch (error) {
    if (error instanceof AppError) return error.failure;
    throw error;
  }
  throw new Error('The file was read');
}

export const names = ({ shape }: ReadSheet): string[] => shape.columns.map(({ name }) => name);
export const cells = ({ rows }: ReadSheet): readonly (readonly string[])[] =>
  rows.map((row) => row.cells);
export const noticed = ({ shape }: ReadSheet): Record<string, number> =>
  Object.fromEntries(shape.notices.map(({ code, count }) => [code, count]));
