import { accountFile } from './account.ts';
import { plainPdf } from '../pdf/pdf.ts';

let made: Promise<Buffer> | undefined;

/** The content of the one file that lies on the account already. */
export function accountFileBytes(): Promise<Buffer> {
  made ??= plainPdf(accountFile.name.replace('.pdf', ''), [
    'Dessa villkor gäller för alla avtal om inte annat har avtalats skriftligen.',
  ]);
  return made;
}
