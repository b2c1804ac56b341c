import { IdentityId } from '../../../shared/model/ids.ts';
import type { Emit, HandlersOf } from '../../../shared/contract/index.ts';
import { type Identity, NewIdentity } from '../../../shared/contract/signing.ts';
import { AppError } from '../../../shared/errors.ts';
import { isCountry } from '../../../shared/rules/identifiers/countries.ts';
import { type Day, dayOf } from '../../../shared/rules/time/days.ts';
import { isEmail } from '../../../shared/rules/identifiers/email.ts';
import { validatePersonNumberV1 } from '../../../shared/rules/identifiers/identity.ts';
import { toE164 } from '../../../shared/rules/identifiers/phone.ts';
import { validationSentences } from '../../../shared/rules/text/verdict.ts';
import type { Chance, Clock, IdentityStore, NamedIdentity, StoredIdentity } from '../ports.ts';

/** Country of a personal number without one: the services of API v1 and v2 treat it as Swedish. */
const USUAL_COUNTRY = 'SE';

/**
 * Creates the handlers for people who sign for the company. A personal number never leaves the
 * store unmasked.
 */
export function createIdentityHandlers(ports: {
  readonly identities: IdentityStore;
  readonly chance: Chance;
  readonly clock: Clock;
  readonly emit: Emit;
}): HandlersOf<'identities'> {
  const { identities, emit } = ports;
  return {
    'identities.list': async () => identities.list().map(withoutPersonNumber),
    'identities.add': async (wanted) => {
      const tidy = normalizeIdentity(wanted, identities.list(), dayOf(ports.clock.now()));
      const added = identities.insert(IdentityId.parse(ports.chance.uuid()), tidy);
      emit('identities.changed', {});
      return withoutPersonNumber(added);
    },
    'identities.remove': async ({ id }) => {
      identities.remove(id);
      emit('identities.changed', {});
      return {};
    },
  };
}

function withoutPersonNumber({ personNumber: _, ...identity }: StoredIdentity): Identity {
  return identity;
}

/**
 * Removes empty values and normalizes numbers to the form that is sent. Throws 'invalid' or
 * 'conflict'.
 */
function normalizeIdentity(
  wanted: NewIdentity,
  known: readonly StoredIdentity[],
  today: Day,
): NamedIdentity {
  const written = Object.entries(wanted).filter(([, value]) => value !== '' && value !== undefined);
  const tidy = NewIdentity.parse(Object.fromEntries(written));
  const { firstName, lastName, country, email, mobile, personNumber } = tidy;
  const { name = `${firstName} ${lastName}` } = tidy;
  if (known.some((one) => one.name === name)) {
    const fields = { name: 'taken' };
    throw new AppError('conflict', `An identity named ${name} already exists`, {
      reason: 'identity-exists',
      fields,
    });
  }
  const fields: Record<string, string> = {};
  const number = mobile === undefined ? undefined : toE164(mobile, country);
  const judged =
    personNumber === undefined
      ? undefined
      : validatePersonNumberV1(personNumber, country ?? USUAL_COUNTRY, today);
  if (country !== undefined && !isCountry(country)) fields['country'] = 'not a country code';
  if (email !== undefined && !isEmail(email)) fields['email'] = 'not an address';
  if (number === null) fields['mobile'] = 'not a mobile number';
  if (judged?.verdict === 'wrong') fields['personNumber'] = validationSentences[judged.why];
  if (Object.keys(fields).length > 0) {
    throw new AppError('invalid', 'The identity has invalid details', { fields });
  }
  return {
    ...tidy,
    name,
    ...(typeof number === 'string' && { mobile: number }),
    ...(judged !== undefined && { personNumber: judged.value }),
  };
}
