import { expect, it } from 'vitest';
import { plain } from '../../../electron/hosts/cli/output/text.ts';
import { readLink } from '../../../shared/rules/links/link.ts';
import { validateName } from '../../../shared/rules/text/clean-text.ts';

/** Characters with Unicode's property Bidi_Control. */
const SIGNS = [...'\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069'];

it.each(SIGNS.map((sign) => [sign.codePointAt(0)?.toString(16), sign] as const))(
  'a link, a name or terminal output contains no direction character: U+%s (SR-I10)',
  (_, sign) => {
    const written = encodeURIComponent(sign);
    expect(readLink(`signingdesk:draft?title=Rent${written}`)).toMatchObject({ why: 'damaged' });
    expect(readLink(`signingdesk:draft?message=Rent${written}`)).toMatchObject({ why: 'damaged' });
    expect(validateName(`Anna${sign}Ek`, 100)).toMatchObject({ verdict: 'wrong' });
    expect(plain(`Rent${sign}`)).not.toContain(sign);
  },
);
