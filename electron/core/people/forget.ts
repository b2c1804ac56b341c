import type { Emit, Handlers } from '../../../shared/contract/index.ts';
import type { Person, PersonId } from '../../../shared/contract/people.ts';
import { HandoverDraft } from '../../../shared/rules/office/items.ts';
import { titleOfPerson } from '../../../shared/rules/people/people.ts';
import { forgetAgreements } from '../agreements/forget.ts';
import type { Clock, Encoding, Stores } from '../ports.ts';
import type { BookChanges } from './changes.ts';
import { formNames } from './form-names.ts';
import type { PersonTraces } from './ports.ts';

interface ForgetPorts {
  readonly stores: Pick<
    Stores,
    'people' | 'agreements' | 'actions' | 'outbox' | 'office' | 'forms'
  >;
  readonly encoding: Encoding;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly changes: BookChanges;
}

type ForgetCallName = 'forgetPreview' | 'forget' | 'erasures';

/** Minimum number of digits to search for: a shorter number occurs inside many other numbers. */
const MIN_DIGITS = 7;

/**
 * Creates the calls that erase a person and show which data about the person is stored, which is
 * kept, and why.
 */
export function createForgetHandlers(
  ports: ForgetPorts,
): Pick<Handlers, `people.${ForgetCallName}`> {
  const { stores, clock, emit, changes } = ports;
  const { people } = stores;
  return {
    'people.forgetPreview': async ({ id }) => {
      const { person } = people.get(id);
      const { endedCopies, ...found } = people.traces(
        id,
        tracesOf(ports, id, person),
        handedTexts(ports),
      );
      const isShared = stores.office.shared().has('address-book');
      return { ...found, title: titleOfPerson(person), copies: endedCopies.length, isShared };
    },
    'people.forget': async ({ id, drafts, copies }) => {
      const { person } = people.get(id);
      const traces = tracesOf(ports, id, person);
      const { endedCopies } = people.traces(id, traces, []);
      const done = people.erase({ id, traces, drafts, at: clock.now() }, () => {
        for (const form of stores.forms.list(-Infinity)) {
          if (form.key === `person:${id}` || formNames(form, traces)) stores.forms.drop(form.key);
        }
        return copies && endedCopies.length > 0 ? forgetAgreements(ports, endedCopies) : 0;
      });
      changes.forget(id);
      emit('people.changed', {});
      for (const draft of drafts) emit('drafts.changed', { id: draft });
      return done;
    },
    'people.erasures': async () => [...people.erasures()],
  };
}

/** Texts of handed-over drafts and batches, which are kept until another user has accepted them. */
function handedTexts({ stores, encoding }: Pick<ForgetPorts, 'stores' | 'encoding'>): string[] {
  return stores.office.given().map(({ kind, title, data }) => {
    const text = encoding.text(data);
    if (kind !== 'draft') return `${title}\n${text}`;
    const { draft } = HandoverDraft.parse(JSON.parse(text));
    return `${title}\n${encoding.text(encoding.bytes(draft))}`;
  });
}

/**
 * Returns the values by which to find a person: unique ones, ones shared with another entry, and
 * the name.
 */
export function tracesOf(
  { stores }: { readonly stores: Pick<Stores, 'people'> },
  id: PersonId,
  person: Person,
): PersonTraces {
  const others = stores.people.alike(person).filter((one) => one.id !== id);
  const isShared = (field: 'email' | 'mobile' | 'personNumber' | 'companyNumber'): boolean =>
    others.some((one) => one.person[field]?.toLowerCase() === person[field]?.toLowerCase());
  const { email, mobile, personNumber, companyNumber } = person;
  const sure = { texts: new Array<string>(), digits: new Array<string>() };
  const shared = { texts: new Array<string>(), digits: new Array<string>() };
  if (email) (isShared('email') ? shared : sure).texts.push(lowerAsciiText(email));
  if (mobile) (isShared('mobile') ? shared : sure).digits.push(...mobileForms(mobile));
  if (personNumber) {
    (isShared('personNumber') ? shared : sure).digits.push(...numberForms(personNumber));
  }
  if (companyNumber) {
    (isShared('companyNumber') ? shared : sure).digits.push(...numberForms(companyNumber));
  }
  const { firstName, lastName, name } = person;
  const written = [name ?? '', firstName ?? '', lastName ?? ''].map((one) =>
    lowerAsciiText(one.trim()),
  );
  const isCompany = person.kind === 'company';
  const names = (isCompany ? written.slice(0, 1) : written.slice(1)).filter((one) => one !== '');
  return { sure, shared, names };
}

/** Lowercases only ASCII letters, because SQLite ignores the case only of these. */
const lowerAsciiText = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Returns the digits of a mobile number with the country code, and in national form. */
function mobileForms(mobile: string): readonly string[] {
  const digits = mobile.replaceAll(/\D/g, '');
  const national = /^(?:46|47|45|358|49|31|33|34|39|48|44)(\d+)$/.exec(digits)?.[1];
  return [digits, ...(national === undefined ? [] : [`0${national}`])].filter(isLong);
}

/**
 * Returns the written forms of a number: the ten digits that are often written are the end of a
 * Swedish number of twelve digits.
 */
function numberForms(number: string): readonly string[] {
  const compact = number.replaceAll(/[-+\s]/g, '');
  return [/^\d{12}$/.test(compact) ? compact.slice(2) : compact].filter(isLong);
}

const isLong = (digits: string): boolean => digits.length >= MIN_DIGITS;
