import { IdentityId } from '../../shared/contract/ids.ts';
import type { Emit, HandlersOf } from '../../shared/contract/index.ts';
import type { Identity, NewIdentity } from '../../shared/contract/signing.ts';
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
      refuseWrong(wanted, identities.list());
      const added = identities.insert(IdentityId.parse(ports.chance.uuid()), wanted);
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

function refuseWrong(wanted: NewIdentity, known: readonly StoredIdentity[]): void {
  const { name, country, email, mobile } = wanted;
  if (known.some((one) => one.name === name)) {
    throw new AppError('conflict', `There is an identity named ${name} already`, {
      fields: { name: 'taken' },
    });
  }
  const fields: Record<string, string> = {};
  if (country !== undefined && !isCountry(country)) fields['country'] = 'not a country code';
  if (email !== undefined && email !== '' && !isEmail(email)) fields['email'] = 'not an address';
  if (mobile !== undefined && mobile !== '' && toE164(mobile, country) === null) {
    fields['mobile'] = 'not a number';
  }
  if (Object.keys(fields).length === 0) return;
  throw new AppError('invalid', 'The identity has something that cannot be', { fields });
}
