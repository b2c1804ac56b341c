import type { TemplateContent } from '../../../shared/model/template.ts';
import { workbook } from '../../adapters/sheets/workbook.ts';
import { leaseV1, people } from '../../support/desks/batch-desk.ts';

export const ROWS = 200;
export const FILE = 'hyror.xlsx';
export const HEADER = ['Förnamn', 'Efternamn', 'Personnummer', 'E-post', 'Mobil', 'Hyra'] as const;

/** Rows (from 0) whose personal number a CSV file had turned into `1,98001E+11`. */
export const DESTROYED = [3, 5, 7] as const;
/**
 * Rows whose mobile number lost its plus sign, and rows whose mobile number lost its first zero.
 */
export const NO_PLUS = [20, 40, 60, 80];
export const NO_ZERO = [100, 120, 140];

/** The tenant signs with an eID or a code on the phone, so that a phone number is required. */
export const lease: TemplateContent = {
  ...leaseV1,
  body: {
    ...leaseV1.body,
    api: 'v1',
    title: 'Hyresavtal {Tenant}',
    expireDays: 30,
    deleteDays: null,
    rest: {},
    roles: [
      {
        id: 'tenant',
        name: 'Tenant',
        party: {
          type: 'PRIVATE',
          country: 'SE',
          signingConfigurations: [{ type: 'EID', country: 'SE' }, { type: 'SMS_OTP' }],
        },
      },
    ],
  },
};

const tenants = people(ROWS).map((line, at) => {
  const [given = '', family = '', number = '', email = '', rent = ''] = line.split(';');
  const local = `70${String(1_000_000 + at)}`;
  return { given, family: `${family}; ${String(at)}`, number, email, local, rent };
});

export const numberOf = (at: number): string => tenants[at]?.number ?? '';

/**
 * A spreadsheet as a Swedish Excel saves it: shared strings, numbers as numbers, names with
 * semicolons, and some numbers that an earlier CSV file had destroyed.
 */
export function swedishWorkbook(): Uint8Array {
  const texts: string[] = [];
  const text = (content: string): string =>
    `<c t="s"><v>${String(texts.push(`<t>${content}</t>`) - 1)}</v></c>`;
  const number = (digits: string): string => `<c><v>${digits}</v></c>`;
  const isDestroyed = (at: number) => DESTROYED.some((one) => one === at);
  const mobile = (at: number, local: string): string => {
    if (NO_PLUS.includes(at)) return number(`46${local}`);
    return NO_ZERO.includes(at) ? number(local) : text(`+46${local}`);
  };
  const rows = tenants.map(({ given, family, number: own, email, local, rent }, at) => [
    ...[text(given), text(family), isDestroyed(at) ? text('1,98001E+11') : number(own)],
    ...[text(email), mobile(at, local), number(rent)],
  ]);
  const header = HEADER.map((name) => text(name));
  const sheet = [header, ...rows].map(
    (cells, at) => `<row r="${String(at + 1)}">${cells.join('')}</row>`,
  );
  return workbook({ sheets: { Blad1: sheet.join('') }, texts });
}
