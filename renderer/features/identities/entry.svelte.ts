import type { Identity } from '../../../shared/contract/signing.ts';
import { isEmail } from '../../../shared/rules/identifiers/email.ts';
import { validatePersonNumberV1 } from '../../../shared/rules/identifiers/identity.ts';
import { toE164 } from '../../../shared/rules/identifiers/phone.ts';
import { dayOf } from '../../../shared/rules/time/days.ts';
import { m } from '../../ui/language.svelte.ts';
import { organisationNumberDoubt, personNumberDoubt } from '../../ui/number-doubts.ts';
import { activity } from '../../window/activity.svelte.ts';
import { signing } from '../signing/state.svelte.ts';

const empty = {
  firstName: '',
  lastName: '',
  role: '',
  company: '',
  personNumber: '',
  country: '',
  orgNo: '',
  email: '',
  mobile: '',
  name: '',
};

export type IdentityField = keyof typeof empty;

/** Fields whose doubtful number is saved only after the user has confirmed it. */
type NumberField = 'personNumber' | 'orgNo';

/**
 * A new signing person that the user enters.
 * @internal
 */
export class IdentityEntry {
  readonly values = $state({ ...empty });
  /** The doubtful numbers that the user confirmed. */
  readonly confirmed = $state({ personNumber: '', orgNo: '' });
  /** Whether the user tried to save: from then on, the fields show what is wrong. */
  isTried = $state(false);
  readonly hasNames = $derived(
    this.values.firstName.trim() !== '' && this.values.lastName.trim() !== '',
  );
  readonly isEmpty = $derived(Object.values(this.values).every((value) => value.trim() === ''));

  /** Text about a value that cannot be saved. */
  problemOf(field: IdentityField): string | null {
    return this.isTried ? this.#wrong(field) : null;
  }

  /** Text about a number that may be mistyped. */
  doubtOf(field: NumberField): string | null {
    return this.isTried ? this.#doubt(field) : null;
  }

  /** The first field that has to be corrected or confirmed before the person can be saved. */
  get firstOpen(): IdentityField | null {
    const isOpen = (field: IdentityField): boolean => {
      if (this.#wrong(field) !== null) return true;
      if (field !== 'personNumber' && field !== 'orgNo') return false;
      return this.#doubt(field) !== null && this.confirmed[field] !== this.values[field];
    };
    const fields: IdentityField[] = ['personNumber', 'orgNo', 'email', 'mobile', 'name'];
    return fields.find(isOpen) ?? null;
  }

  /** Stores the person and returns it; null if a field is open, or after an announced failure. */
  async save(): Promise<Identity | null> {
    this.isTried = true;
    if (!this.hasNames || this.firstOpen !== null) return null;
    const { firstName, lastName, ...optional } = this.values;
    let added: Identity | null = null;
    await activity.attempt(async () => {
      added = await signing.addPerson({
        name: known(optional.name),
        firstName,
        lastName,
        role: known(optional.role),
        company: known(optional.company),
        personNumber: known(optional.personNumber),
        country: known(optional.country),
        orgNo: known(optional.orgNo),
        email: known(optional.email),
        mobile: known(optional.mobile),
      });
    });
    if (added !== null) this.clear();
    return added;
  }

  clear(): void {
    Object.assign(this.values, empty);
    Object.assign(this.confirmed, { personNumber: '', orgNo: '' });
    this.isTried = false;
  }

  #wrong(field: IdentityField): string | null {
    const value = this.values[field].trim();
    if (field === 'name') return this.#isTaken() ? m.settings_identity_taken() : null;
    if (value === '') return null;
    if (field === 'email') return isEmail(value) ? null : m.problem_format_email();
    const country = this.values.country || undefined;
    if (field === 'mobile')
      return toE164(value, country) === null ? m.problem_format_mobile() : null;
    if (field !== 'personNumber') return null;
    const { verdict } = validatePersonNumberV1(value, country ?? 'SE', dayOf(Date.now()));
    return verdict === 'wrong' ? m.problem_format_person_v1() : null;
  }

  #doubt(field: NumberField): string | null {
    const today = dayOf(Date.now());
    const { personNumber, country, orgNo } = this.values;
    return field === 'orgNo'
      ? organisationNumberDoubt(orgNo, today)
      : personNumberDoubt(personNumber, country, today);
  }

  /** Whether another person has the name in the list that this person would get. */
  #isTaken(): boolean {
    const { name, firstName, lastName } = this.values;
    const wanted = name.trim() || `${firstName.trim()} ${lastName.trim()}`;
    return (signing.identities.value ?? []).some((one) => one.name === wanted);
  }
}

/** Returns undefined for an empty field, whose value is omitted: unknown is not the same as empty. */
const known = (value: string): string | undefined =>
  value.trim() === '' ? undefined : value.trim();

/** The person that is being entered. It stays when the user looks at another screen. */
export const typedIdentity = new IdentityEntry();
