import type { Identity } from '../../../../shared/contract/signing.ts';
import { AppError } from '../../../../shared/errors.ts';
import { type Answer, answer } from '../output/answer.ts';
import {
  acceptDoubtsOption,
  type DoubtOptions,
  rejectDoubtfulNumbers,
} from '../input/doubtful-numbers.ts';
import type { Session } from '../session/session.ts';
import { plain, table } from '../output/text.ts';
import { type AddCommands, example } from '../session/group.ts';

interface AddOptions extends DoubtOptions {
  readonly first: string;
  readonly last: string;
  readonly role?: string;
  readonly company?: string;
  readonly personNo?: string;
  readonly country?: string;
  readonly orgNo?: string;
  readonly email?: string;
  readonly mobile?: string;
}

async function addIdentity(
  { api }: Session,
  name: string,
  { first, last, personNo, acceptDoubtfulNumbers, ...rest }: AddOptions,
): Promise<Answer> {
  const { country, orgNo } = rest;
  rejectDoubtfulNumbers({ personNo, country, orgNo }, { acceptDoubtfulNumbers });
  const added = await api['identities.add']({
    name,
    firstName: first,
    lastName: last,
    ...(personNo !== undefined && { personNumber: personNo }),
    ...contactOf(rest),
  });
  return answer(added, `Added ${plain(added.name)}.`);
}

/** `identities list`: lists identities, with masked numbers. */
async function listIdentities({ api }: Session): Promise<Answer> {
  const items = await api['identities.list']({});
  const rows = items.map((one) => [
    ...[one.name, `${one.firstName} ${one.lastName}`, one.role ?? '-'],
    ...[one.personNumberMasked ?? '-', one.company ?? one.orgNo ?? '-'],
  ]);
  const text = table(
    ['NAME', 'PERSON', 'ROLE', 'NUMBER', 'COMPANY'],
    rows,
    'There are no identities yet.',
  );
  return answer({ items }, text);
}

async function removeIdentity(session: Session, name: string): Promise<Answer> {
  const { id } = await identityNamed(session, name);
  await session.api['identities.remove']({ id });
  return answer({}, `Removed ${plain(name)}.`);
}

/**
 * Returns the identity with this name or, without a name, the only identity.
 * @throws AppError 'not-found', or 'invalid' if there are several and none was named.
 */
export async function identityFor(session: Session, name: string | undefined): Promise<Identity> {
  if (name !== undefined) return identityNamed(session, name);
  const [only, ...others] = await session.api['identities.list']({});
  if (only !== undefined && others.length === 0) return only;
  const message =
    only === undefined
      ? 'No identity is stored yet. Add an identity with: identities add'
      : 'Several identities are stored. Choose an identity with --as';
  throw new AppError('invalid', message, { fields: { as: message } });
}

/**
 * Returns the identity with this name.
 * @throws AppError 'not-found'.
 */
export async function identityNamed({ api }: Session, name: string): Promise<Identity> {
  const found = (await api['identities.list']({})).find((one) => one.name === name);
  if (found === undefined) throw new AppError('not-found', `There is no identity named "${name}"`);
  return found;
}

/** Returns the contact data; options that were not given must be absent, not undefined. */
function contactOf(
  options: Omit<AddOptions, 'first' | 'last' | 'personNo' | 'acceptDoubtfulNumbers'>,
): object {
  const { role, company, country, orgNo, email, mobile } = options;
  return {
    ...(role !== undefined && { role }),
    ...(company !== undefined && { company }),
    ...(country !== undefined && { country }),
    ...(orgNo !== undefined && { orgNo }),
    ...(email !== undefined && { email }),
    ...(mobile !== undefined && { mobile }),
  };
}

export const identityCommands: AddCommands = (group, run) => {
  const add = group
    .command('add')
    .argument('<name>', 'name for the new identity; other commands use this name with --as')
    .description('add a person who signs for the company')
    .requiredOption('--first <name>', 'first name')
    .requiredOption('--last <name>', 'last name')
    .option('--role <role>', 'role of the person in the company')
    .option('--company <name>', 'name of the company')
    .option('--person-no <number>', 'personal number')
    .option('--country <code>', 'country code of two letters, such as SE')
    .option('--org-no <number>', 'v2: organisation number of the company')
    .option('--email <address>', 'email address')
    .option('--mobile <number>', 'mobile number with its country code: +46…')
    .addOption(acceptDoubtsOption())
    .action((name: string, options: AddOptions) =>
      run.withDesk('data', (session) => addIdentity(session, name, options)),
    );
  example(add, 'identities add maria --first Maria --last Berg --org-no 5599990008');
  const list = group
    .command('list')
    .description('list the people who sign; personal numbers are masked')
    .action(() => run.withDesk('data', listIdentities));
  example(list, 'identities list');
  const remove = group
    .command('remove')
    .argument('<name>', 'name of the identity, as `identities list` shows it')
    .description('remove a person who signs for the company')
    .action((name: string) => run.withDesk('data', (session) => removeIdentity(session, name)));
  example(remove, 'identities remove maria');
};
