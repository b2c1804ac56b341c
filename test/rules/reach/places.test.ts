import { describe, expect, it } from 'vitest';
import {
  valueKindsV1,
  valueKindsV2,
  recipientAddressesIn,
} from '../../../shared/rules/reach/places.ts';

/** Pattern for the names of address, number and URL fields in the texts of both APIs. */
const NAMES_SOMEBODY = /(?:^|\.)(?:email|emails\[\]|mobile|identifier|address|url)$/;

describe('the recipients in a create request', () => {
  it.each([
    ['API v1', valueKindsV1, 6],
    ['API v2', valueKindsV2, 8],
  ])('in %s include every address, number and URL (FE-N3)', (_api, places, count) => {
    const named = Object.entries(places).filter(([place]) => NAMES_SOMEBODY.test(place));
    expect(named).toHaveLength(count);
    expect(named.filter(([, by]) => by === 'nobody')).toEqual([]);
  });

  it('include a value in a field that neither API documents (FE-N3)', () => {
    const body = { parties: [{ copyTo: ['x@else.test', '  '] }] };
    expect(recipientAddressesIn('v1', body)).toEqual([
      { at: 'parties.0.copyTo.0', address: 'x@else.test', isHost: false },
    ]);
  });

  it('exclude the personal number of an e-identity, which is not a number for codes (FE-N3)', () => {
    const signingConfigurations = [
      { type: 'EID', country: 'SE', identifier: '189001019802' },
      { type: 'SMS_OTP', identifier: '+46709999999' },
    ];
    expect(recipientAddressesIn('v1', { parties: [{ signingConfigurations }] })).toEqual([
      {
        at: 'parties.0.signingConfigurations.1.identifier',
        address: '+46709999999',
        isHost: false,
      },
    ]);
  });
});
