import type {
  PeopleSort,
  PersonDetails,
  PersonEntry,
  PersonSuggestion,
} from '../../../../../shared/contract/people.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { choiceOption, wholeNumberOption } from '../../input/options.ts';
import { toIsoText } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { pairs, plain, table } from '../../output/text.ts';
import { type AddCommands, example } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { fileCommands } from './files.ts';
import { forgetCommands } from './forget.ts';
import { GROUP_OPTION_HELP, groupNamed, PERSON_HELP, personNamed } from './names.ts';

interface ListOptions {
  readonly search?: string;
  readonly group?: string;
  readonly sort: PeopleSort;
  readonly limit: number;
}

/** Maximum number of entries that one call returns. */
const PEOPLE_PAGE_SIZE = 1000;

/** `people list`: lists entries, with masked personal numbers. */
async function listPeople(session: Session, options: ListOptions): Promise<Answer> {
  const { search = '', sort, limit } = options;
  const group = await groupNamed(session, options.group);
  const direction = sort === 'name' ? 'ascending' : 'descending';
  const items: PersonSuggestion[] = [];
  let total = 0;
  for (let more = true; more && items.length < limit;) {
    const stretch = { from: items.length, limit: Math.min(PEOPLE_PAGE_SIZE, limit - items.length) };
    const view = { text: search, group, sort, direction } as const;
    const found = await session.api['people.window']({ ...view, ...stretch });
    items.push(...found.items);
    ({ total } = found);
    more = found.items.length > 0 && items.length < total;
  }
  const rows = items.map((one) => [
    ...[one.id, one.title, one.email ?? '-', one.mobile ?? '-', one.number ?? '-'],
    toIsoText(one.usedAt) ?? 'never',
  ]);
  const heads = ['ID', 'NAME', 'E-MAIL', 'MOBILE', 'NUMBER', 'WRITTEN TO'];
  const value = { items: items.map(suggestionForOutput), total };
  return answer(value, table(heads, rows, 'The address book has no matching entries.'));
}

const suggestionForOutput = ({ usedAt, ...rest }: PersonSuggestion) => ({
  ...rest,
  usedAt: toIsoText(usedAt),
});

async function showPerson(session: Session, named: string): Promise<Answer> {
  const person = await personNamed(session, named);
  const groups = (await session.api['people.groups']({}))
    .filter(({ id }) => person.groups.includes(id))
    .map(({ name }) => name);
  const { usedAt, addedAt, changedAt, ...facts } = person;
  const value = {
    ...facts,
    groups,
    usedAt: toIsoText(usedAt),
    addedAt: toIsoText(addedAt),
    changedAt: toIsoText(changedAt),
  };
  const lines = Object.entries(value).map(
    ([name, text]) => [name, Array.isArray(text) ? text.join(', ') : (text ?? '-')] as const,
  );
  return answer(value, pairs(lines));
}

interface EntryOptions {
  readonly first?: string;
  readonly last?: string;
  readonly company?: string;
  readonly email?: string;
  readonly mobile?: string;
  readonly country?: string;
  readonly orgNo?: string;
  readonly personNo?: string;
}

const emptyPersonEntry: PersonEntry = {
  kind: 'person',
  firstName: '',
  lastName: '',
  name: '',
  email: '',
  mobile: '',
  country: '',
  companyNumber: '',
};

/** Returns the known entry with the changes of the options; a company's name makes it a company. */
function changedEntry(known: PersonEntry, options: EntryOptions): PersonEntry {
  const { first, last, company, email, mobile, country, orgNo, personNo } = options;
  return {
    kind: company === undefined && orgNo === undefined ? known.kind : 'company',
    firstName: first ?? known.firstName,
    lastName: last ?? known.lastName,
    name: company ?? known.name,
    email: email ?? known.email,
    mobile: mobile ?? known.mobile,
    country: country ?? known.country,
    companyNumber: orgNo ?? known.companyNumber,
    ...(personNo !== undefined && { personNumber: personNo }),
  };
}

const entryFromDetails = ({ email, mobile, ...person }: PersonDetails): PersonEntry => ({
  kind: person.kind,
  firstName: person.firstName,
  lastName: person.lastName,
  name: person.name,
  email: email ?? '',
  mobile: mobile ?? '',
  country: person.country,
  companyNumber: person.companyNumber,
});

async function savePerson(
  session: Session,
  named: string | null,
  options: EntryOptions,
): Promise<Answer> {
  const known = named === null ? null : await personNamed(session, named);
  const entry = changedEntry(known === null ? emptyPersonEntry : entryFromDetails(known), options);
  const { id } = await session.api['people.save']({ id: known?.id ?? null, entry });
  const { title } = await session.api['people.show']({ id });
  return answer({ id, title }, `${known === null ? 'Added' : 'Changed'} ${plain(title)}.`);
}

async function removePerson(session: Session, named: string): Promise<Answer> {
  const { id, title } = await personNamed(session, named);
  await session.api['people.remove']({ id });
  return answer({ id }, `Removed ${plain(title)} from the address book.`);
}

/** `people merge`: merges two entries; without names, lists entries that may be the same party. */
async function mergePeople(session: Session, keep?: string, other?: string): Promise<Answer> {
  if (keep === undefined) {
    const found = await session.api['people.doubles']({});
    const items = found.pairs.map(({ reasons, first, second }) => ({
      reasons,
      first: { id: first.id, title: first.title },
      second: { id: second.id, title: second.title },
    }));
    const rows = items.map(({ reasons, first, second }) => [
      ...[first.id, first.title, second.id, second.title, reasons.join(', ')],
    ]);
    const heads = ['ID', 'NAME', 'ID', 'NAME', 'SAME'];
    return answer({ items }, table(heads, rows, 'There are no duplicates.'));
  }
  if (other === undefined) {
    throw new AppError('invalid', 'Name two entries: the entry to keep, and the other entry');
  }
  const [kept, gone] = [await personNamed(session, keep), await personNamed(session, other)];
  await session.api['people.merge']({ keep: kept.id, other: gone.id });
  const text = `${plain(gone.title)} is merged into ${plain(kept.title)}.`;
  return answer({ id: kept.id, merged: gone.id }, text);
}

async function listGroups({ api }: Session): Promise<Answer> {
  const items = await api['people.groups']({});
  const rows = items.map(({ name, members, api: of }) => [name, String(members), of ?? '-']);
  return answer({ items }, table(['NAME', 'PEOPLE', 'API'], rows, 'There are no groups.'));
}

const entryOptions = [
  ['--first <name>', 'first name'],
  ['--last <name>', 'last name'],
  ['--company <name>', 'name of a company'],
  ['--email <address>', 'email address'],
  ['--mobile <number>', 'mobile number with its country code: +46…'],
  ['--country <code>', 'country code of two letters, such as SE'],
  ['--org-no <number>', 'organisation number'],
  ['--person-no <number>', 'personal number'],
] as const;

export const peopleCommands: AddCommands = (group, run) => {
  const list = group
    .command('list')
    .description('list the address book; personal numbers are masked')
    .option('--search <text>', 'only names, addresses and phone numbers that begin with this text')
    .option('--group <name>', GROUP_OPTION_HELP)
    .addOption(
      choiceOption('--sort <by>', 'sort by this value', ['name', 'used', 'changed']).default(
        'name',
      ),
    )
    .addOption(
      wholeNumberOption('--limit <n>', 'maximum number of entries', 1, 1_000_000).default(200),
    )
    .action((options: ListOptions) =>
      run.withDesk('data', (session) => listPeople(session, options)),
    );
  example(list, 'people list --search oberg --json');
  const show = group
    .command('show')
    .argument('<person>', PERSON_HELP)
    .description('show all details of an entry')
    .action((named: string) => run.withDesk('data', (session) => showPerson(session, named)));
  example(show, 'people show asa@example.com');
  const add = group.command('add').description('add a person or a company');
  const edit = group
    .command('edit')
    .argument('<person>', PERSON_HELP)
    .description('change an entry; an empty value ("") removes a detail');
  for (const [flags, about] of entryOptions) {
    add.option(flags, about);
    edit.option(flags, about);
  }
  add.action((options: EntryOptions) =>
    run.withDesk('data', (session) => savePerson(session, null, options)),
  );
  example(add, 'people add --first Maria --last Berg --email maria@example.com');
  edit.action((named: string, options: EntryOptions) =>
    run.withDesk('data', (session) => savePerson(session, named, options)),
  );
  example(edit, 'people edit maria@example.com --mobile +46701234567');
  const remove = group
    .command('remove')
    .argument('<person>', PERSON_HELP)
    .description('remove an entry from the address book, but not from drafts and agreements')
    .action((named: string) => run.withDesk('data', (session) => removePerson(session, named)));
  example(remove, 'people remove maria@example.com');
  const merge = group
    .command('merge')
    .argument('[keep]', 'entry to keep: ID, name or email address')
    .argument('[other]', 'entry to merge into it: ID, name or email address')
    .description('list possible duplicates, or merge two entries into one')
    .action((keep?: string, other?: string) =>
      run.withDesk('data', (session) => mergePeople(session, keep, other)),
    );
  example(merge, 'people merge');
  const groups = group
    .command('groups')
    .description('list the groups')
    .action(() => run.withDesk('data', listGroups));
  example(groups, 'people groups');
  fileCommands(group, run);
  forgetCommands(group, run);
};
