import { describe, expect, it } from 'vitest';
import type { BatchMapping } from '../../../shared/contract/batches.ts';
import { mappingV1, mappingV2 } from '../../rules/batches/row.ts';
import { swedish } from '../../support/desks/batch-desk.ts';
import {
  csvOf,
  type Imported,
  importing,
  importingRow,
  peopleOf,
} from '../../support/sheets/sheet-cases.ts';

/* Cases 36 to 50, about numbers and contacts: each as cells of a real file. */

const pnr = swedish(1980, 1, 1, 123);
const ten = pnr.slice(2);
const dashed = (number: string, sign = '-') => `${number.slice(0, -4)}${sign}${number.slice(-4)}`;
const [person] = mappingV1.body['parties'] as object[];

/** The first party of every row that was armed. */
const parties = ({ bodies }: Imported) => bodies.map((body) => peopleOf(body)[0]);
const rows = (name: string, values: readonly string[]) =>
  values.map((value, at) => ({ [name]: value, Rent: String(at) }));
const signingBy = (method: object): BatchMapping => ({
  ...mappingV1,
  body: {
    ...mappingV1.body,
    parties: [{ ...person, signingConfigurations: [method] } as never],
  },
});

describe('a personal number in a cell', () => {
  it('36: of a Swedish person is the same in each form, and is sent to v1 with twelve digits', async () => {
    const v1 = await importing(csvOf(rows('Personal number', [pnr, dashed(pnr)])));
    expect(v1.errors).toEqual([]);
    expect(parties(v1).map((party) => party?.['personNumber'])).toEqual([pnr, pnr]);
    const forms = [pnr, dashed(pnr), ten, dashed(ten)];
    const v2 = await importing(csvOf(rows('Personal number', forms), 'v2'), { api: 'v2' });
    expect(v2).toMatchObject({ errors: [], armed: [2, 3, 4, 5] });
  });

  it('37: with a plus sign belongs to a person over a hundred years old', async () => {
    const old = swedish(1921, 3, 4, 200);
    const imported = await importingRow({ 'Personal number': dashed(old.slice(2), '+') });
    expect(parties(imported)[0]?.['personNumber']).toBe(old);
  });

  it('38: with an impossible or future date is rejected; a wrong check digit is a warning', async () => {
    const none = ['198001009804', '198013019804', '190002299804', '203001019804'];
    const imported = await importing(csvOf(rows('Personal number', none)));
    expect(imported.armed).toEqual([]);
    expect(imported.errors).toEqual([2, 3, 4, 5].map((row) => `${row}:Personal number:format`));
    const wrong = `${pnr.slice(0, -1)}${String((Number(pnr.at(-1)) + 1) % 10)}`;
    expect((await importingRow({ 'Personal number': wrong })).warnings).toContain(
      '2:Personal number:identifier',
    );
  });

  it('39: may be a co-ordination number', async () => {
    const imported = await importingRow({ 'Personal number': swedish(1980, 1, 61, 123) });
    expect(imported).toMatchObject({ errors: [], armed: [2] });
  });

  it('40: of ten digits that fits two years of birth is blocked until the user chooses', async () => {
    const young = swedish(2020, 5, 6, 333).slice(2);
    const imported = await importingRow({ 'Personal number': young });
    expect(imported).toMatchObject({ errors: ['2:Personal number:format'], armed: [] });
    expect(imported.repairs).toEqual([`20${young}`, `19${young}`]);
  });

  it('41: of a Finnish person may have every century sign; a wrong check character is a warning', async () => {
    const finns = ['131052-308t', '010190Y999P', '131052-308A'].map((number, at) => ({
      Country: 'FI',
      'Personal number': number,
      Rent: String(at),
    }));
    const imported = await importing(csvOf(finns));
    expect(parties(imported)[0]?.['personNumber']).toBe('131052-308T');
    expect(imported.warnings).toContain('4:Personal number:identifier');
    expect(imported.errors.filter((error) => error.startsWith('2:'))).toEqual([]);
  });

  it('42: never mixes up two Finnish people whose numbers differ only in the century sign', async () => {
    const finns = ['100190-999P', '100190Y999P'].map((number) => ({
      Country: 'FI',
      'Personal number': number,
    }));
    const imported = await importing(csvOf(finns));
    expect(imported.warnings.filter((one) => /same-/.test(one))).toEqual([]);
    const twice = [0, 1].map((at) => ({ ...finns[0], Rent: String(at) }));
    expect((await importing(csvOf(twice as never))).warnings).toContain('3::same-person');
  });

  it('43: loses known dashes and spaces, and is rejected in digits of another script', async () => {
    const signs = ['\u2013', '\u2212', '\u00a0', '\u200b'];
    const cleaned = await importing(
      csvOf(
        rows(
          'Personal number',
          signs.map((sign) => dashed(pnr, sign)),
        ),
      ),
    );
    expect(parties(cleaned).map((party) => party?.['personNumber'])).toEqual(signs.map(() => pnr));
    const arabic = await importingRow({ 'Personal number': '١٩٨٠٠١٠١٩٨٠٤' });
    expect(arabic).toMatchObject({ errors: ['2:Personal number:format'], armed: [] });
  });

  it('44: is rejected if it is a company’s, and is reported if it is entered for a company', async () => {
    const imported = await importingRow({ 'Personal number': '5560360793' });
    expect(imported).toMatchObject({ errors: ['2:Personal number:format'], armed: [] });
    const names = { firstName: '{First name}', lastName: '{Last name}', email: '{E-mail}' };
    const company: BatchMapping = {
      ...mappingV2,
      body: {
        ...mappingV2.body,
        parties: { privates: [], companies: [{ orgNo: '{Number}', ...names }] },
      },
    };
    const numbers = rows('Number', ['165560360793', ten, '556036-0793']);
    const both = await importing(csvOf(numbers, 'v2'), { api: 'v2', mapping: company });
    expect(both.errors).toContain('2:Number:format');
    expect(both.warnings).toContain('3:Number:format');
    expect(both.armed).toContain(4);
  });

  it('45: without a country is rejected when v1 needs one', async () => {
    const imported = await importingRow({ Country: '' });
    expect(imported.errors).toContain('2:Country:country-needed');
    expect(imported.armed).toEqual([]);
  });

  it('46: that occurs twice in an agreement, or in two rows, is reported', async () => {
    const mapping = {
      ...mappingV1,
      body: { ...mappingV1.body, parties: [person, person] as never },
    };
    const inside = await importingRow({}, { mapping });
    expect(inside.warnings).toContain('2:Personal number:duplicate');
    const apart = await importing(csvOf([{ Rent: '1' }, { Rent: '2' }]));
    expect(apart.warnings).toContain('3::same-person');
    expect(apart.armed).toEqual([2, 3]);
  });
});

describe('a contact in a cell', () => {
  it('47: is exactly one email address, with surrounding spaces removed', async () => {
    const bad = ['a@b.se; c@d.se', 'mailto:a@b.se', 'a@b.se.', 'a@b', '"a b"@x.se'];
    const worse = ['a@b.se\nBcc: x@y.se', `${'x'.repeat(250)}@b.se`];
    const imported = await importing(
      csvOf(rows('E-mail', [...bad, ...worse, ' asa@example.com\u00a0'])),
    );
    expect(imported.errors).toEqual(
      [2, 3, 4, 5, 6, 7, 8].map((row) => `${String(row)}:E-mail:format`),
    );
    expect(imported.armed).toEqual([9]);
    expect(parties(imported)[0]?.['email']).toBe('asa@example.com');
  });

  it('48: at a domain that mixes alphabets is reported', async () => {
    const { errors, warnings } = await importingRow({ 'E-mail': 'a@exаmple.se' });
    expect([...errors, ...warnings]).toContain('2:E-mail:format');
  });

  it('49: with a mobile number is sent in each API’s form; a zero in brackets needs confirmation', async () => {
    const good = ['070-123 45 67', '0046701234567', '+46701234567', '+46 (0)70 123 45 67'];
    const v1 = await importing(csvOf(rows('Mobile', good)));
    expect(parties(v1).map((party) => party?.['mobile'])).toEqual(good.map(() => '+46701234567'));
    expect(v1.warnings).toContain('5:Mobile:identifier');
    const v2 = await importing(csvOf(rows('Mobile', good.slice(0, 1)), 'v2'), { api: 'v2' });
    expect(parties(v2)[0]?.['mobile']).toBe('+46 701234567');
    const bad = ['1234567890123456', '070-CALL-ME', '4,67012E+10'];
    const imported = await importing(csvOf(rows('Mobile', bad)));
    expect(imported.errors).toEqual(['2:Mobile:format', '3:Mobile:format', '4:Mobile:spreadsheet']);
    expect(imported.armed).toEqual([]);
  });

  it('50: is rejected before sending when the signing method needs more data', async () => {
    const byPhone = signingBy({ type: 'SMS_OTP', identifier: '{Mobile}' });
    expect((await importingRow({}, { mapping: byPhone })).errors).toEqual([]);
    const lacking: readonly (readonly [Readonly<Record<string, string>>, BatchMapping])[] = [
      [{ Mobile: '' }, byPhone],
      [{}, signingBy({ type: 'EID' })],
      [{}, signingBy({ type: 'EID', country: 'DK' })],
      [{}, signingBy({ type: 'QES', identifier: '{Mobile}' })],
    ];
    for (const [cells, mapping] of lacking) {
      const imported = await importingRow(cells, { mapping });
      expect(imported.errors.length).toBeGreaterThan(0);
      expect(imported.armed).toEqual([]);
    }
  });
});
