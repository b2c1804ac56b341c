import { describe, expect, it } from 'vitest';
import { swedish } from '../../support/desks/batch-desk.ts';
import { errors, mappingV1, mappingV2, repairs, rowOf, warnings } from './row.ts';

const v2 = { mapping: mappingV2 };
const pnr = swedish(1980, 1, 1, 123);
const ten = pnr.slice(2);

/** Returns the data that a row sends for its only person. */
const partyV1 = (...given: Parameters<typeof rowOf>) => {
  const { content } = rowOf(...given);
  return content.api === 'v1' ? content.body.parties[0] : undefined;
};
const personNoV2 = (number: string) => {
  const { content } = rowOf({ 'Personal number': number }, v2);
  return content.api === 'v2' ? content.body.parties.privates[0]?.personNo : undefined;
};

describe('personal numbers in a row', () => {
  it('have no problems in a valid row', () => {
    expect(errors({ 'Personal number': pnr })).toEqual([]);
    expect(errors({ 'Personal number': pnr }, v2)).toEqual([]);
  });

  it('are accepted in four Swedish forms, and sent to v1 with twelve digits', () => {
    const dashed = `${pnr.slice(0, 8)}-${pnr.slice(8)}`;
    expect(partyV1({ 'Personal number': dashed })?.personNumber).toBe(pnr);
    for (const text of [pnr, dashed]) expect(errors({ 'Personal number': text })).toEqual([]);
    for (const text of [pnr, dashed, ten, `${ten.slice(0, 6)}-${ten.slice(6)}`]) {
      expect(errors({ 'Personal number': text }, v2)).toEqual([]);
    }
  });

  it('get their century from a plus sign', () => {
    const old = swedish(1921, 3, 4, 200);
    const text = `${old.slice(2, 8)}+${old.slice(8)}`;
    expect(partyV1({ 'Personal number': text })?.personNumber).toBe(old);
    expect(personNoV2(text)).toBe(old);
  });

  it('are rejected with an impossible or future date, and get a warning for a wrong check digit', () => {
    for (const text of ['198001009804', '198013019804', '190002299804', '203001019804']) {
      expect(errors({ 'Personal number': text })).toEqual(['Personal number:format']);
    }
    const wrong = pnr.slice(0, -1) + String((Number(pnr.at(-1)) + 1) % 10);
    expect(warnings({ 'Personal number': wrong })).toContain('Personal number:identifier');
  });

  it('may be co-ordination numbers', () => {
    expect(errors({ 'Personal number': swedish(1980, 1, 61, 123) })).toEqual([]);
  });

  it('need a century when ten digits fit two people', () => {
    const young = swedish(2020, 5, 6, 333).slice(2);
    expect(errors({ 'Personal number': young })).toEqual(['Personal number:format']);
    expect(repairs({ 'Personal number': young })).toEqual([`20${young}`, `19${young}`]);
  });

  it('are read with every Finnish century sign, and get a warning for a wrong check character', () => {
    const finnish = { Country: 'FI' };
    for (const text of ['131052-308T', '131052a308t', '010190Y999P']) {
      const found = errors({ ...finnish, 'Personal number': text });
      expect(found.filter((one) => one !== 'Personal number:format')).toEqual([]);
    }
    expect(partyV1({ ...finnish, 'Personal number': '131052-308t' })?.personNumber).toBe(
      '131052-308T',
    );
    const doubted = warnings({ ...finnish, 'Personal number': '131052-308A' });
    expect(doubted).toContain('Personal number:identifier');
  });

  it('of two Finnish people that differ only in the century sign are never treated as equal', () => {
    const key = (number: string) =>
      rowOf({ Country: 'FI', 'Personal number': number }).checked.personKey;
    expect(key('100190-999P')).not.toBe(key('100190Y999P'));
  });

  it('lose known dashes and spaces, and are rejected in digits of other scripts', () => {
    for (const dash of ['\u2013', '\u2212', '\u00a0', '\u200b']) {
      const text = `${pnr.slice(0, 8)}${dash}${pnr.slice(8)}`;
      expect(partyV1({ 'Personal number': text })?.personNumber).toBe(pnr);
    }
    expect(errors({ 'Personal number': `١٩٨٠٠١٠١٩٨٠٤` })).toEqual(['Personal number:format']);
  });

  it('of a company are rejected in a column for people, and those of a person in one for companies', () => {
    expect(errors({ 'Personal number': '5560360793' })).toEqual(['Personal number:format']);
    const party = {
      orgNo: '{Number}',
      firstName: '{First name}',
      lastName: '{Last name}',
      email: '{E-mail}',
    };
    const company = {
      ...mappingV2,
      body: { ...mappingV2.body, parties: { privates: [], companies: [party] } },
    };
    expect(errors({ Number: '165560360793' }, { mapping: company })).toEqual(['Number:format']);
    expect(warnings({ Number: ten }, { mapping: company })).toContain('Number:format');
    expect(errors({ Number: '556036-0793' }, { mapping: company })).toEqual([]);
  });

  it('are rejected without a country (v1)', () => {
    expect(errors({ Country: '', 'Personal number': pnr })).toContain('Country:country-needed');
  });

  it('are reported when they are the same twice in one agreement', () => {
    const parties = [1, 2].map(() => (mappingV1.body['parties'] as object[])[0]);
    const mapping = { ...mappingV1, body: { ...mappingV1.body, parties: parties as never } };
    expect(warnings({ 'Personal number': pnr }, { mapping })).toContain(
      'Personal number:duplicate',
    );
  });

  it('are reported as destroyed by Excel, and never guessed (TX-21)', () => {
    for (const text of ['1,98001E+11', '1.98001E+11']) {
      expect(errors({ 'Personal number': text })).toEqual(['Personal number:spreadsheet']);
      expect(repairs({ 'Personal number': text })).toEqual([]);
      expect(errors({ Mobile: text.replace('1', '4') })).toEqual(['Mobile:spreadsheet']);
    }
  });

  it('are rejected without their first zero, and can be corrected with one key (TX-21)', () => {
    const danish = { Country: 'DK', 'Personal number': '101011234' };
    expect(errors({ ...danish, Country: 'FI' })).toEqual(['Personal number:format']);
    expect(errors({ Mobile: '701234567' })).toEqual(['Mobile:format']);
    expect(repairs({ Mobile: '701234567' })).toEqual(['0701234567']);
  });

  it('of a phone get the suggestion of the plus that Excel removed (TX-21)', () => {
    expect(errors({ Mobile: '46701234567' })).toEqual(['Mobile:format']);
    expect(repairs({ Mobile: '46701234567' })).toEqual(['+46701234567']);
    expect(repairs({ 'Personal number': `${pnr}.0` })).toEqual([pnr]);
  });

  it('block the row when the spreadsheet itself marked the cell (TX-21)', () => {
    for (const mark of [
      'rounded',
      'formatted',
      'shown-rounded',
      'formula-empty',
      'cell-error',
      'wrong-date',
      'merged',
    ] as const) {
      expect(errors({}, { marks: [['Rent', mark]] })).toEqual([`Rent:${mark}`]);
    }
    expect(errors({}, { marks: [['Rent', 'ragged']] })).toEqual([':ragged']);
    expect(errors({}, { marks: [['Rent', 'formula']] })).toEqual([]);
    expect(warnings({}, { marks: [['Rent', 'formula']] })).toEqual(['Rent:formula']);
  });

  it('that answer a question for a day are sent as year-month-day, and rejected if there is no such day', () => {
    const mapping = { ...mappingV1, fields: { ...mappingV1.fields, rent: '{Rent|day}' } };
    expect(errors({ Rent: '2027-13-01' }, { mapping })).toEqual(['Rent:date-unclear']);
    expect(errors({ Rent: '31.02.2027' }, { mapping, dayOrder: 'day-month-year' })).toEqual([
      'Rent:date-unclear',
    ]);
    const dotted = rowOf({ Rent: '28.02.2027' }, { mapping, dayOrder: 'day-month-year' });
    expect(dotted.fields).toContainEqual({ name: 'rent', value: '2027-02-28' });
    expect(errors({ Rent: '' }, { mapping })).toEqual([]);
    expect(warnings({ Rent: '2027-02-28' }, { mapping, marks: [['Rent', 'date-form']] })).toEqual(
      [],
    );
  });

  it('are sent with a decimal point or ISO date, with a notice unless a date is expected (IN-08)', () => {
    for (const mark of ['decimal', 'date-form'] as const) {
      expect(errors({}, { marks: [['Rent', mark]] })).toEqual([]);
      expect(warnings({}, { marks: [['Rent', mark]] })).toEqual([`Rent:${mark}`]);
    }
    expect(warnings({}, { marks: [['Expires', 'date-form']] })).toEqual([]);
    expect(warnings({}, { marks: [['Rent', 'date']] })).toEqual([]);
  });
});

describe('yes and no values in a row', () => {
  it('are reported within a text, but not when only yes or no is expected (IN-Y20)', () => {
    const cells = { Rent: 'TRUE' };
    const marks = [['Rent', 'truth']] as const;
    expect(errors(cells, { marks })).toEqual([]);
    expect(warnings(cells, { marks })).toEqual(['Rent:truth']);
    const box = { ...mappingV1, fields: { rent: '{Rent|yes-no}' } };
    expect(warnings(cells, { marks, mapping: box })).toEqual([]);
    const both = { ...mappingV1, fields: { rent: '{Rent|yes-no}', tenant: 'Rent: {Rent}' } };
    expect(warnings(cells, { marks, mapping: both })).toEqual(['Rent:truth']);
  });
});

describe('contacts in a row', () => {
  it('reject every invalid email address, except if it only needs trimming', () => {
    const bad = [
      'a@b.se; c@d.se',
      'mailto:a@b.se',
      'a@b.se.',
      'a@b',
      '"a b"@x.se',
      'a@b.se\nBcc: x@y.se',
      `${'x'.repeat(250)}@b.se`,
    ];
    for (const text of bad) expect(errors({ 'E-mail': text })).toEqual(['E-mail:format']);
    expect(errors({ 'E-mail': ' asa@example.com\u00a0' })).toEqual([]);
    expect(partyV1({ 'E-mail': ' asa@example.com\u00a0' })?.email).toBe('asa@example.com');
  });

  it('give a warning for a domain that mixes alphabets', () => {
    expect([
      ...errors({ 'E-mail': 'a@exаmple.se' }),
      ...warnings({ 'E-mail': 'a@exаmple.se' }),
    ]).toContain('E-mail:format');
  });

  it('use each API’s form of mobile numbers, and need confirmation for a zero in brackets', () => {
    for (const text of ['070-123 45 67', '0046701234567', '+46 (0)70 123 45 67', '+46701234567']) {
      expect(partyV1({ Mobile: text })?.mobile).toBe('+46701234567');
    }
    const { content } = rowOf({ Mobile: '070-123 45 67' }, v2);
    expect(content.api === 'v2' && content.body.parties.privates[0]?.mobile).toBe('+46 701234567');
    expect(warnings({ Mobile: '+46 (0)70 123 45 67' })).toContain('Mobile:identifier');
    for (const text of ['1234567890123456', '070-CALL-ME', '+46']) {
      expect(errors({ Mobile: text })).toEqual(['Mobile:format']);
    }
  });

  it('are rejected when they lack what the signing method needs', () => {
    const method = (one: object) => ({
      ...mappingV1,
      body: {
        ...mappingV1.body,
        parties: [
          { ...(mappingV1.body['parties'] as object[])[0], signingConfigurations: [one] } as never,
        ],
      },
    });
    const byPhone = method({ type: 'SMS_OTP', identifier: '{Mobile}' });
    expect(errors({ Mobile: '' }, { mapping: byPhone })).not.toEqual([]);
    expect(errors({}, { mapping: byPhone })).toEqual([]);
    expect(errors({}, { mapping: method({ type: 'EID' }) })).not.toEqual([]);
    expect(errors({}, { mapping: method({ type: 'EID', country: 'DK' }) })).not.toEqual([]);
    expect(errors({}, { mapping: method({ type: 'QES', identifier: '{Mobile}' }) })).not.toEqual(
      [],
    );
  });
});

describe('texts, dates and signing orders in a row', () => {
  it('reject names that change text direction, are too long or blank, and compose accents', () => {
    expect(errors({ 'First name': 'Åsa\u202egnp' })).toContain('First name:identifier');
    expect(errors({ 'First name': 'x'.repeat(500) })).toContain('First name:identifier');
    expect(errors({ 'First name': ' \u00a0 ' })).toContain('First name:required');
    expect(partyV1({ 'First name': 'A\u030asa' })?.firstName).toBe('Åsa');
  });

  it('keep formulas as text', () => {
    for (const text of ['=HYPERLINK("http://x")', '+1', '-2', '@SUM']) {
      expect(rowOf({ Rent: text }).fields).toContainEqual({ name: 'rent', value: text });
    }
  });

  it('keep markup as text, and reject a message over its limit', () => {
    const mapping = {
      ...mappingV2,
      body: { ...mappingV2.body, type: 'FREE_TEXT', text: '{Text}' },
      fields: {},
    };
    expect(errors({ Text: 'x'.repeat(30_001) }, { mapping })).toContain('Text:too-long');
    const { content } = rowOf({ Text: '<script>x</script>' }, { mapping });
    expect(content.api === 'v2' && content.body.text).toBe('<script>x</script>');
  });

  it('report a cell that would place a signature (T1-38)', () => {
    for (const text of ['{{@agr.parties[0].signature}}', 'x {{ @agr.parties[0].signature }} y']) {
      expect(errors({ Rent: text })).toContain('Rent:placeholder');
      expect(errors({ 'Last name': text })).toContain('Last name:placeholder');
    }
  });

  it('reject past times, and days that are not a whole number', () => {
    expect(errors({ Expires: '2026-11-01' })).toEqual(['Expires:not-future']);
    for (const text of ['-1', '100', '1.5'])
      expect(errors({ Days: text }, v2)).toEqual(['Days:range']);
    expect(errors({ Days: '60 dagar' }, v2)).toEqual(['Days:not-a-number']);
  });

  it('read a date only in ISO form, or in the form that the user chose for the column', () => {
    for (const text of ['2027-02-30', '03/04/2027', '27-3-4', '20270304', '46082']) {
      expect(errors({ Expires: text })).toContain('Expires:date-unclear');
    }
    const expires = (text: string, dayOrder: 'day-month-year' | 'month-day-year') => {
      const { content } = rowOf({ Expires: text }, { dayOrder });
      return content.api === 'v1' ? content.body.expireOn : '';
    };
    expect(expires('03.04.2027', 'day-month-year')).toBe('20270403T215900Z');
    expect(expires('03/04/2027', 'month-day-year')).toBe('20270304T225900Z');
  });

  it('use the date in Stockholm, and reject an hour skipped by the clock change', () => {
    const late = Date.UTC(2026, 10, 21, 23, 30);
    expect(errors({ Expires: '2026-11-21' }, { now: late })).toEqual(['Expires:not-future']);
    expect(errors({ Expires: '2027-03-28 02:30' })).toContain('Expires:date-unclear');
    expect(errors({ Expires: '2027-03-28 03:30' })).toEqual([]);
  });

  it('reject invalid signing orders, and accept gaps and empty cells', () => {
    const party = { ...(mappingV1.body['parties'] as object[])[0], signingOrder: '{Order}' };
    const mapping = { ...mappingV1, body: { ...mappingV1.body, parties: [party as never] } };
    for (const text of ['0', '-1', '1.5'])
      expect(errors({ Order: text }, { mapping })).toEqual(['Order:order']);
    for (const text of ['1', '3', '']) expect(errors({ Order: text }, { mapping })).toEqual([]);
  });

  it('reject a field missing from the PDF, and a signature of a party that does not draw', () => {
    const unknown = { ...mappingV1, fields: { landlord: '{Rent}' } };
    expect(errors({}, { mapping: unknown })).toContain('Rent:no-such-field');
    const drawn = { ...mappingV1, fields: { tenant: '{{@agr.parties[9].signature}}' } };
    expect(errors({}, { mapping: drawn })).toContain(':placeholder');
  });

  it('reject tags that the service does not accept', () => {
    const tagged = (tags: Record<string, string>) => ({
      ...mappingV1,
      body: { ...mappingV1.body, tags },
    });
    const many = Object.fromEntries(Array.from({ length: 98 }, (_, at) => [`k${at}`, 'x']));
    for (const tags of [
      { a: '{Rent}!' },
      { 'egr:a': 'x' },
      { ['k'.repeat(129)]: 'x' },
      { a: 'x'.repeat(257) },
      many,
    ]) {
      expect(errors({ Rent: 'a*b' }, { mapping: tagged(tags) })).not.toEqual([]);
    }
    expect(errors({}, { mapping: tagged({ unit: '{Rent}' }) })).toEqual([]);
  });

  it('reject texts over the limits of their fields', () => {
    const long = {
      ...mappingV2,
      body: { ...mappingV2.body, drawSignature: true, signatureMessage: '{Note}' },
    };
    expect(errors({ Note: 'x'.repeat(121) }, { mapping: long })).toContain('Note:too-long');
    const configured = {
      ...mappingV1,
      body: {
        ...mappingV1.body,
        configurations: [{ type: 'OWNER_DETAILS', companyShortName: '{Note}' }],
      },
    };
    expect(errors({ Note: 'x'.repeat(12) }, { mapping: configured })).toContain('Note:too-long');
  });

  it('send yes and no as true and false only when the mapping requires it (T2-46)', () => {
    const dynamic = (value: string) => ({
      api: 'v2' as const,
      body: {
        ...mappingV2.body,
        type: 'DYNAMIC_PDF',
        dynamicPdf: { templateId: '871', fields: [{ name: 'accepted', value }] },
      },
      fields: {},
    });
    const sent = (text: string, value: string) => {
      const { content } = rowOf({ Accepted: text }, { mapping: dynamic(value) });
      return content.api === 'v2' ? content.body.dynamicPdf?.fields[0]?.value : undefined;
    };
    for (const text of ['x', 'ja', 'Yes', '1', 'sant'])
      expect(sent(text, '{Accepted|yes-no}')).toBe(true);
    for (const text of ['0', 'nej']) expect(sent(text, '{Accepted|yes-no}')).toBe(false);
    expect(sent('', '{Accepted|yes-no}')).toBeUndefined();
    expect(sent('ja', '{Accepted}')).toBe('ja');
    expect(errors({ Accepted: 'kanske' }, { mapping: dynamic('{Accepted|yes-no}') })).toContain(
      'Accepted:not-yes-or-no',
    );
  });
});

describe('optional parties of a row', () => {
  const second = {
    type: 'PRIVATE',
    when: '{Last name 2}',
    firstName: '{First name 2}',
    lastName: '{Last name 2}',
    email: '{E-mail 2}',
    signingConfigurations: [{ type: 'DRAW' }],
  };
  const [first] = mappingV1.body['parties'] as object[];
  const mapping = {
    ...mappingV1,
    body: { ...mappingV1.body, parties: [second, first] as never },
    fields: { tenant: '{{@agr.parties[0].signature}}', rent: '{Rent}' },
  };
  const given = { 'First name 2': 'Bo', 'Last name 2': 'Ek', 'E-mail 2': 'bo@example.com' };

  it('are excluded with their signature when the row does not name them', () => {
    const without = rowOf({ ...given, 'Last name 2': '', 'Personal number': pnr }, { mapping });
    expect(without.content.api === 'v1' && without.content.body.parties).toHaveLength(1);
    expect(without.fields).toEqual([{ name: 'rent', value: '9400' }]);
    const both = rowOf({ ...given, 'Personal number': pnr }, { mapping });
    expect(both.checked.parties).toBe(2);
    expect(both.fields[0]?.value).toBe('{{@agr.parties[0].signature}}');
  });

  it('do not shift the column of a problem when they are excluded', () => {
    expect(errors({ ...given, 'Last name 2': '', 'E-mail': 'no' }, { mapping })).toContain(
      'E-mail:format',
    );
    expect(errors({ ...given, 'E-mail 2': 'no' }, { mapping })).toContain('E-mail 2:format');
  });
});
