import { readXml } from './xml.ts';
import type { Zip } from './zip.ts';
import { sheetError } from './refuse.ts';

const MACRO = /(?:^|\/)vbaProject|macroEnabled/i;
const BINARY = /sheet\.binary|\.bin$/i;

/**
 * Throws for a ZIP file of another kind; the message names the kind and how to convert it. `main`
 * is the main part that the file declares.
 */
export async function rejectOtherKinds(zip: Zip, main: string | undefined): Promise<void> {
  if (zip.names.some((name) => /^Index(?:\/.*\.iwa|\.zip)$/i.test(name))) {
    throw otherKindError(
      'The file is an Apple Numbers document. In Numbers, choose File > Export To > Excel',
    );
  }
  const type = await typeOf(zip, main);
  if (BINARY.test(main ?? '') || BINARY.test(type) || zip.find('xl/workbook.bin') !== undefined) {
    throw otherKindError(
      'The file is a binary spreadsheet (.xlsb). Save it as .xlsx or .csv in Excel',
    );
  }
  if (/word|presentation/i.test(main ?? '')) {
    throw otherKindError(
      'The file is a text document or a presentation. Save its table as .xlsx or .csv',
    );
  }
  const hasMacros = zip.names.some((name) => MACRO.test(name)) || MACRO.test(type);
  if (hasMacros) {
    throw otherKindError(
      'The spreadsheet contains macros (.xlsm, .xltm). Save it as .xlsx or .csv in Excel',
    );
  }
}

/** Returns the content type of `main`; empty if the list of types does not contain it. */
async function typeOf(zip: Zip, main: string | undefined): Promise<string> {
  const list = zip.find('[Content_Types].xml');
  if (list === undefined) return '';
  const types: string[] = [];
  await readXml('The list of types', zip.chunks(list), {
    open: (name, attributes) => {
      const part = attributes['PartName']?.replace(/^\//, '').toLowerCase();
      if (name === 'Override' && part === main?.toLowerCase()) {
        types.push(attributes['ContentType'] ?? '');
      }
    },
    text: () => {},
    close: () => {},
  });
  return types.join(' ');
}

function otherKindError(message: string) {
  return sheetError('sheet-kind', message);
}
