// tier: quick, 20 s, because it opens an invitation at its real cost in each case
import { expect, it } from 'vitest';
import { sealInvitation } from '../../../electron/adapters/office/invitation.ts';
import {
  newClaimsSecret,
  newIdentity,
  newKey,
  toStoredKey,
} from '../../../electron/adapters/office/keyring.ts';
import { offices } from '../../../electron/adapters/office/offices.ts';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';

/** Returns an invitation from a stranger, to a server with this host name. */
async function invitationTo(host: string) {
  const address = { host, port: 5432, database: 'x', trust: null, role: 'seat' };
  const seat = OfficeUserId.parse('401456ca-655a-4542-8fbd-e6e9af289f76');
  const office = '7203e1ea-9a5e-48b3-99ea-365f0860e74b';
  const keys = [toStoredKey(newKey())];
  return sealInvitation({
    membership: { office, seat, name: 'Eve', address, goesOnWithout: false },
    secret: { password: 'secret', identity: await newIdentity(), claims: newClaimsSecret(), keys },
  });
}

it.each([
  ['contains a NUL character', '127.0.0.1\0.example.com'],
  ['contains a line break', '127.0.0.1\r\nexample.com'],
  ['reverses the reading direction', '\u202Emoc.elpmaxe'],
  ['is an address with options', 'postgres://127.0.0.1/x?sslmode=disable'],
  ['is a list of servers', '127.0.0.1,example.com'],
  ['is longer than any host name', 'a'.repeat(2000)],
  ['is a path with an invisible character', '/run/\u200Bpostgres'],
])('an invitation whose server %s is rejected without asking the user (SR-I7)', async (_, host) => {
  const { invitation, phrase } = await invitationTo(host);
  await expect(offices.join(invitation, phrase)).rejects.toMatchObject({
    failure: { code: 'invalid', reason: 'not-an-invitation' },
  });
});

it.each([
  ['аpple.com', 'xn--pple-43d.com'],
  ['Büro.Example', 'xn--bro-hoa.example'],
  ['db_1.example.com', 'db_1.example.com'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['/run/postgresql', '/run/postgresql'],
])(
  'the confirmation of the invitation server %j shows the address that is connected (SR-I8)',
  async (host, reached) => {
    const { invitation, phrase } = await invitationTo(host);
    expect(await offices.addressIn(invitation, phrase)).toMatchObject({ host: reached });
  },
);
