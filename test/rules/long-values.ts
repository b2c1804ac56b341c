import { checkV2, personV2 } from '../support/draft-checks.ts';

export const NOW = Date.UTC(2026, 10, 22, 12);

/** Returns the parts of an archive file name, with the text in each of them. */
export const tokens = (text: string) => ({
  id: text,
  title: text,
  parties: [text, text],
  connection: text,
  closedAt: NOW,
  tags: { key: text },
});
export const named = '{title} {party} {parties} {tag:key} {connection} {id}';
export const plotOf = (text: string) => ({
  title: text,
  notes: [text],
  group: text,
  series: [text, text],
  unit: text,
  groups: [{ label: text, values: [{ value: 1, text }] }],
});

/** Checks a draft of API v2 that has the text in all of its parts; returns the result. */
export function draftV2(text: string) {
  return checkV2({
    name: text,
    text,
    parties: {
      privates: [{ ...personV2, email: text, mobile: text, personNo: text }],
      companies: [],
    },
  });
}

export const longPerson = (text: string) => ({
  kind: 'person',
  firstName: text,
  lastName: text,
  email: text,
  mobile: text,
  country: 'SE',
  personNumber: text,
  companyNumber: text,
});

/** Fields with scripts that format an amount and a date. */
export const scripted = {
  amount: {
    format: {
      kind: 'number',
      places: 2,
      group: '.',
      point: ',',
      negative: 'parentheses',
      before: 'kr ',
      after: ' kr',
    },
  },
  day: { format: { kind: 'day', pattern: 'd.mmm yy' } },
};

/** A field with a script that validates its number. */
export const checked = {
  ...scripted.amount,
  check: { kind: 'range', least: '0', most: '1.5' },
};

/** A field on a page, with the text as its name and label. */
export const seenField = (text: string) => ({
  name: text,
  kind: 'text',
  label: text,
  required: false,
  maxLength: null,
  fontSize: null,
  align: 'left',
  options: [],
  value: '',
  places: [{ page: 1, box: { x: 200, y: 400, width: 200, height: 20 } }],
});

/**
 * Returns the result of a rule, or the error that it throws: a rule that rejects has also read the
 * text.
 */
export const refused = (ask: () => unknown): unknown => {
  try {
    return ask();
  } catch (error) {
    return error;
  }
};

/** Returns a page with the text, up to 20,000 letters: more letters are not read from a page. */
export const pageOf = (text: string) => ({
  page: 1,
  box: { x: 0, y: 0, width: 600, height: 840 },
  rotate: 0,
  strokes: [],
  shades: [],
  letters: [...text.slice(0, 20_000)].map((letter, at) => ({
    text: letter,
    x: (at % 200) * 3,
    y: 840 - Math.floor(at / 200) * 8,
    width: 3,
    height: 6,
  })),
});
