import { describe, expect, it } from 'vitest';
import type { PartyV1 } from '../../../../../shared/model/agreement-v1.ts';
import { PartyMemory } from '../../../../../renderer/features/drafts/parties/memory.ts';

const company = (): PartyV1 => ({
  type: 'COMPANY',
  name: 'Nordlys Bygg AS',
  companyNumber: '912345678',
  country: 'NO',
  email: 'post@example.com',
  signingConfigurations: [{ type: 'EID', country: 'NO' }],
});

describe('changing the type of a party', () => {
  it('to our own company leaves no name, number or country, not even empty ones (T1-39)', () => {
    const party = company();
    new PartyMemory().convert(party, 'MY_COMPANY');
    expect(Object.keys(party).sort()).toEqual(['email', 'signingConfigurations', 'type']);
    expect(party.signingConfigurations).toEqual([{ type: 'EID', country: 'NO' }]);
  });

  it('and back restores the earlier values (T1-39)', () => {
    const party = company();
    const memory = new PartyMemory();
    memory.convert(party, 'MY_COMPANY');
    memory.convert(party, 'COMPANY');
    expect(party).toEqual(company());
  });

  it('from company to person removes its number and keeps its country (T1-40)', () => {
    const party = company();
    const memory = new PartyMemory();
    memory.convert(party, 'PRIVATE');
    expect(party.companyNumber).toBeUndefined();
    expect(party.name).toBeUndefined();
    expect(party.country).toBe('NO');
    party.country = 'SE';
    memory.convert(party, 'COMPANY');
    expect(party.country).toBe('SE');
    expect(party.name).toBe('Nordlys Bygg AS');
  });

  it('remembers earlier values for each party separately', () => {
    const [first, second] = [company(), { ...company(), name: 'Villa Koti Oy' }];
    const memory = new PartyMemory();
    memory.convert(first, 'MY_COMPANY');
    memory.convert(second, 'MY_COMPANY');
    memory.convert(first, 'COMPANY');
    expect(first.name).toBe('Nordlys Bygg AS');
  });
});
