import * as z from 'zod';
import type { Person } from '../../contract/people.ts';
import { AppError, type IntakeProblem } from '../../errors.ts';
import { ApiName } from '../../model/ids.ts';
import { validateEntry } from '../people/entry.ts';
import type { Day } from '../time/days.ts';
import { en } from './words/en.ts';

/** Party of the data; `role` is its role in a template, null if the data names no role. */
export interface IntakeParty {
  readonly person: Person;
  readonly role: string | null;
}

/** Sidecar data of a PDF. If a value is null, the value of the folder's rule applies. */
export interface IntakeData {
  readonly title: string | null;
  readonly api: ApiName | null;
  /** Names of a connection and a template, as shown in the window. */
  readonly connection: string | null;
  readonly template: string | null;
  readonly parties: readonly IntakeParty[];
  /** Answers by the label of a question; the template must have this question. */
  readonly answers: Readonly<Record<string, string>>;
  /** Values of other columns of a spreadsheet; used if a question has the title as its label. */
  readonly others: Readonly<Record<string, string>>;
}

export const EMPTY_INTAKE_DATA: IntakeData = {
  title: null,
  api: null,
  connection: null,
  template: null,
  parties: [],
  answers: {},
  others: {},
};

const MAX_PARTIES = 100;
const Text = z.string().max(200);
const Name = z.string().trim().min(1).max(200);

const PartyData = z.strictObject({
  kind: z.enum(['person', 'company']).optional(),
  role: Name.optional(),
  firstName: Text.optional(),
  lastName: Text.optional(),
  name: Text.optional(),
  email: z.string().max(2048).optional(),
  mobile: Text.optional(),
  country: Text.optional(),
  personNumber: Text.optional(),
  companyNumber: Text.optional(),
});

const FileData = z.strictObject({
  title: z.string().trim().min(1).max(1000).optional(),
  api: ApiName.optional(),
  connection: Name.optional(),
  template: Name.optional(),
  parties: z.array(PartyData).max(MAX_PARTIES).optional(),
  answers: z.record(z.string(), z.string().max(10_000)).optional(),
});

/**
 * Parses the text of a `.json` sidecar file. Unknown keys are rejected, because they would be
 * ignored. Throws 'invalid' with 'intake-data'; the error names paths in the data, never values.
 */
export function parseIntakeData(text: string, today: Day): IntakeData {
  const parsed = FileData.safeParse(parseJson(text));
  if (!parsed.success) {
    throw intakeDataError('form', listPlaces(parsed.error.issues.map(placeOf)));
  }
  const { title, api, connection, template, parties = [], answers = {} } = parsed.data;
  return {
    title: title ?? null,
    api: api ?? null,
    connection: connection ?? null,
    template: template ?? null,
    parties: parties.map((party, index) => partyOf(party, { code: 'party', at: index + 1 }, today)),
    answers,
    others: {},
  };
}

/** Validates a party; `at` is the number of the party or row. */
export function partyOf(
  { role, kind, ...said }: z.infer<typeof PartyData>,
  { code, at }: { readonly code: 'party' | 'row'; readonly at: number },
  today: Day,
): IntakeParty {
  const { firstName = '', lastName = '', name = '', companyNumber = '' } = said;
  const isCompany = companyNumber !== '' || (name !== '' && firstName + lastName === '');
  const { email = '', mobile = '', country = '', personNumber = '' } = said;
  const { person, problems } = validateEntry(
    {
      kind: kind ?? (isCompany ? 'company' : 'person'),
      firstName,
      lastName,
      name,
      email,
      mobile,
      country,
      companyNumber,
      personNumber,
    },
    undefined,
    today,
  );
  if (problems === null) return { person, role: role ?? null };
  const sentences = Object.entries(problems).map(([field, problem]) => `${field}: ${problem}`);
  throw intakeDataError(code, `${at} (${Object.keys(problems).join(', ')})`, sentences.join('; '));
}

/** Error for invalid sidecar data; `more` has the details in English. */
export function intakeDataError(
  code: IntakeProblem['code'],
  at: string | number = '',
  more = '',
): AppError {
  const intake = { code, at: String(at) };
  const message = en.wrong[code].replace('{at}', () => intake.at);
  const whole = more === '' ? message : `${message} ${more}`;
  return new AppError('invalid', whole, { reason: 'intake-data', intake });
}

/** Parses JSON. Another program may not have written the whole file yet. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new AppError('invalid', 'The file is not JSON, or is incomplete', {
      reason: 'intake-json',
    });
  }
}

/** Path of an error; an unknown key is not named, because it may be any text. */
function placeOf({ code, path }: z.core.$ZodIssue): string {
  return [...path, ...(code === 'unrecognized_keys' || path.length === 0 ? ['{…}'] : [])].join('.');
}

const listPlaces = (places: readonly string[]): string =>
  [...new Set(places)].slice(0, 5).join(', ');
