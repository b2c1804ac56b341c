import { headOf } from '../text/head-of-text.ts';
import { withoutUnsafeCharacters } from '../text/visible.ts';

/** Maximum length: longer than the names of authorities, and short enough for a sentence. */
const MAX_NAME = 120;
const MAX_SUBJECT = 4000;

/** Name in a subject or issuer, which has Node's format: `C=SE\nO=Office\nCN=Office CA`. */
export function plainName(subject: string): string {
  const lines = headOf(subject, MAX_SUBJECT).split('\n');
  const value = (part: string): string | undefined =>
    lines.find((line) => line.startsWith(`${part}=`))?.slice(part.length + 1);
  const [common, office] = [value('CN'), value('O')];
  const both = [common ?? value('OU'), common === office ? undefined : office];
  const named = both.filter((one) => one !== undefined && one !== '').join(', ');
  return withoutUnsafeCharacters(headOf(named === '' ? lines.join(', ') : named, MAX_NAME));
}
