import { accountFile } from './account.ts';
import { plainPdf } from '../pdf/pdf.ts';

let accountFilePromise: Promise<Buffer> | undefined;

/** Returns the content of the only file that is already on the account. */
export function accountFileBytes(): Promise<Buffer> {
  accountFilePromise ??= plainPdf(accountFile.name.replace('.pdf', ''), [
    'Dessa villkor gäller för alla avtal om inte annat har avtalats skriftligen.',
  ]);
  return accountFilePromise;
}
