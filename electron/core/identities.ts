import { IdentityId } from '../../shared/contract/ids.ts';
import type { Emit, HandlersOf } from '../../shared/contract/index.ts';
import { type Identity, NewIdentity } from '../../shared/contract/signing.ts';
import { AppError } from '../../shared/errors.ts';
import { isCountry, isEmail } from '../../shared/rules/contact.ts';
import { toE164 } from '../../shared/rules/phone.ts';
import type { Chance, IdentityStore, StoredIdentity } from './ports.ts';

/** The named people who sign for the company. A person's number never leaves the store unmasked. */
export function createIdentities(ports: {
  readonly identities: IdentityStore;
  readonly chance: Chance;
  readonly emit: Emit;
}): HandlersOf<'identities'> {
  const { identities, emit } = ports;
  return {
    'identities.list': async () => identities.list().map(masked),
    'identities.add': async (wanted) => {
      const tidy = tidied(wanted, identities.list());
      const added = identities.insert(IdentityId.parse(ports.chance.uuid()), tidy);
      emit('identities.changed', {});
      return masked(added);
    },
    'identities.remove': async ({ id }) => {
      identities.remove(id);
      emit('identities.changed', {});
      return {};
    },
  };
}

function masked({ personNumber: _, ...identity }: StoredIdentity): Identity {
  return identity;
}

/** Without empty boxes, the number in the one form that is sent. Throws 'invalid' or 'conflict'. */
function tidied(wanted: NewIdentity, known: readonly StoredIdentity[]): NewIdentity {
  const written = Object.entries(wanted).filter(([, value]) => value !== '' && value !== undefined);
  const tidy = NewIdentity.parse(Object.fromEntries(written));
  const { name, country, email, mobile } = tidy;
  if (known.some((one) => one.name === name)) {
    const fields = { name: 'taken' };
    throw new AppError('conflict', `There is an identity named ${name} already`, { fields });
  }
  const fields: Record<string, string> = {};
  const number = mobile === undefined ? undefined : toE164(mobile, country);
  if (country !== undefined && !isCountry(country)) fields['country'] = 'not a country code';
  if (email !== undefined && !isEmail(email)) fields['email'] = 'not an address';
  if (number === null) fields['mobile'] = 'not a number';
  if (Object.keys(fields).length > 0) {
    throw new AppError('invalid', 'The identity has something that cannot be', { fields });
  }
  return typeof number === 'string' ? { ...tidy, mobile: number } : tidy;
}
