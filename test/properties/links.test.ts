import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeskLink } from '../../shared/contract/links.ts';
import { AgreementId } from '../../shared/model/ids.ts';
import { agreementLink, MAX_LINK_LENGTH, readLink } from '../../shared/rules/links/link.ts';
import { anyText, settings } from './runs.ts';

const name = fc.oneof(
  fc.constantFrom('title', 'message', 'person', 'company', 'file', 'send', 'sign', 'path'),
  anyText(8),
);
/** Text that would name a file if it were used as a path. */
const pathLike = fc
  .tuple(
    fc.constantFrom('/', '..', '../', '~/', 'C:\\', '\\\\server\\', 'file:///', 'a/', '\0', ''),
    anyText(20),
  )
  .map(([before, text]) => before + text);
const written = fc
  .oneof(pathLike, anyText(40))
  .chain((text) => fc.constantFrom(text, encodeURIComponent(text.toWellFormed())));
const query = fc
  .array(fc.tuple(name, written), { maxLength: 30 })
  .map((pairs) => pairs.map(([key, value]) => `${key}=${value}`).join('&'));
const verb = fc.oneof(
  fc.constantFrom('draft', 'agreement', 'send', 'sign', 'open', 'file', 'Draft'),
  anyText(10),
);

/** Links of this program with any content, and other texts. */
const anyLink = fc.oneof(
  anyText(200),
  fc
    .tuple(fc.constantFrom('signingdesk:', 'signingdesk://', 'SIGNINGDESK:'), verb, written, query)
    .map(([scheme, what, id, asked]) => `${scheme}${what}/${id}?${asked}`),
  fc.tuple(verb, query).map(([what, asked]) => `signingdesk:${what}?${asked}`),
  fc.tuple(verb, written).map(([what, id]) => `signingdesk:${what}/${id}`),
  written.map((id) => `signingdesk:agreement/${id}`),
);

describe('any text that is opened as a link', () => {
  it('is read without an error, as one of three kinds, none of which sends or signs (TX-61)', () => {
    fc.assert(
      fc.property(anyLink, (text) => {
        const link = readLink(text);
        expect(DeskLink.parse(link)).toEqual(link);
        expect(['agreement', 'draft', 'refused']).toContain(link.kind);
      }),
      settings,
    );
  });

  it('never names a file: an agreement has no path, a draft only text and addresses (TX-61)', () => {
    fc.assert(
      fc.property(anyLink, (text) => {
        const link = readLink(text);
        if (link.kind === 'agreement') {
          expect(link.id).not.toMatch(/[/\\:\0]|^[.~-]/);
        } else if (link.kind === 'draft') {
          expect(Object.keys(link.draft).toSorted()).toEqual(['message', 'parties', 'title']);
          const keys = new Set(link.draft.parties.flatMap((party) => Object.keys(party)));
          const known = ['kind', 'firstName', 'lastName', 'name', 'email', 'mobile'];
          expect([...keys].filter((key) => !known.includes(key))).toEqual([]);
        }
      }),
      settings,
    );
  });

  it('is rejected if it is longer than any link of this program, whatever its start', () => {
    fc.assert(
      fc.property(anyLink, (text) => {
        const long = text.padEnd(MAX_LINK_LENGTH + 1, 'a');
        expect(readLink(long)).toEqual({ kind: 'refused', why: 'too-long' });
      }),
      settings,
    );
  });
});

it('the link to an agreement of v1 or v2 is read as that agreement', () => {
  const reference = fc.stringMatching(/^\d{1,20}$/);
  fc.assert(
    fc.property(fc.oneof(fc.uuid(), reference), (text) => {
      const id = AgreementId.parse(text);
      expect(readLink(agreementLink(id))).toEqual({ kind: 'agreement', id });
    }),
    settings,
  );
});
