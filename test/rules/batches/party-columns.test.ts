import { describe, expect, it } from 'vitest';
import { PartyDatum } from '../../../shared/model/template.ts';
import { kindOfHeader } from '../../../shared/rules/batches/synonyms.ts';
import { partyColumn, readPartyColumn } from '../../../shared/rules/batches/party-columns.ts';

const data = PartyDatum.options;

describe('the sample sheet column for the data of a party', () => {
  it.each(data)('is recognised by its name: %s', (datum) => {
    for (const place of [0, 1, 9]) {
      expect(readPartyColumn(partyColumn(place, datum))).toEqual({ place, datum });
    }
  });

  it.each(data)('is matched to a spreadsheet column with that header: %s', (datum) => {
    expect(kindOfHeader(partyColumn(0, datum))).not.toBeNull();
  });

  it('is not matched to a template question with a similar name', () => {
    for (const name of ['Rent', 'E-mail 1', 'E-mail 0', 'E-mail of the tenant', 'Company 02', '']) {
      expect(readPartyColumn(name)).toBeNull();
    }
  });
});
