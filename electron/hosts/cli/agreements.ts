import path from 'node:path';
import {
  type Agreement,
  type AgreementQuery,
  AgreementSort,
} from '../../../shared/contract/agreements.ts';
import { AgreementState } from '../../../shared/model/agreement.ts';
import { addChanges } from './action-changes.ts';
import { addReads } from './action-reads.ts';
import { addSeveral } from './action-several.ts';
import { addOfV2 } from './action-v2.ts';
import { type Answer, answer } from './answer.ts';
import { agreementNamed, connectionNames, onConnection } from './names.ts';
import type { Session } from './session.ts';
import { sync } from './sync.ts';
import { count, pairs, table } from './text.ts';
import { fromOption, iso, shown, untilOption } from './times.ts';
import { type AddCommands, example } from './group.ts';
import { choiceOption, connectionOption, wholeOption } from './options.ts';

/** One page of the contract. */
const MOST_LISTED = 1000;

interface ListOptions {
  readonly connection?: string;
  readonly state?: AgreementState;
  readonly search?: string;
  readonly closedFrom?: number;
  readonly closedTo?: number;
  readonly sort?: AgreementQuery['sort'];
  readonly limit?: number;
  readonly after?: string;
}

/** `agreements list`: from the copies on this computer. */
export async function listAgreements(session: Session, options: ListOptions): Promise<Answer> {
  await firstSync(session, options.connection);
  const { connection, ...query } = options;
  const where = await onConnection(session, connection);
  const page = await session.api['agreements.list']({ ...query, ...where });
  const nameOf = await connectionNames(session);
  const items = page.items.map((one) => listed(one, nameOf(one.connectionId)));
  const rows = page.items.map((one) => [
    one.id,
    nameOf(one.connectionId),
    one.state === 'unknown' ? one.nativeState : one.state,
    shown(one.updatedAt),
    one.title,
  ]);
  const list = table(['ID', 'CONNECTION', 'STATE', 'UPDATED', 'TITLE'], rows, 'Nothing found.');
  const more = page.next === null ? '' : `; go on with --after ${page.next}`;
  const text = `${list}\n${page.items.length} of ${count(page.total, 'agreement')}${more}`;
  return answer({ items, total: page.total, next: page.next }, text);
}

/**
 * Where no connection was ever read, an empty list would say nothing about the service: it is
 * read once first. Where some were not, the list says which.
 */
async function firstSync(session: Session, connection: string | undefined): Promise<void> {
  const { connectionId } = await onConnection(session, connection);
  const all = await session.api['agreements.syncStatus']({});
  const asked = all.filter(
    (one) => connectionId === undefined || one.connectionId === connectionId,
  );
  const unread = asked.filter(({ checkedAt }) => checkedAt === null);
  if (unread.length === 0) return;
  if (all.every(({ checkedAt }) => checkedAt === null)) {
    session.report.note('No connection was read yet: reading the service first.');
    await sync(session, connection === undefined ? {} : { connection });
    return;
  }
  const nameOf = await connectionNames(session);
  const names = unread.map((one) => nameOf(one.connectionId)).join(', ');
  session.report.note(`Never read, so not in this list: ${names}. Run: signing-desk sync`);
}

/** `agreements show` */
export async function showAgreement(
  session: Session,
  id: string,
  { refresh = false }: { readonly refresh?: boolean },
): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const { connectionId, ...found } = await session.api['agreements.show']({ ...key, refresh });
  const value = {
    connection: (await connectionNames(session))(connectionId),
    ...found,
    ...timesOf(found, ['createdAt', 'sentAt', 'updatedAt', 'closedAt', 'expiresAt']),
    ...timesOf(found, ['deletesAt', 'archivedAt', 'readAt']),
    parties: found.parties?.map((one) => ({ ...one, signedAt: iso(one.signedAt) })) ?? null,
    timeline: found.timeline.map((entry) => ({ ...entry, at: iso(entry.at) })),
  };
  const parties = found.parties ?? [];
  const text = pairs([
    ['Title', found.title],
    ['Id', found.id],
    ['Connection', value.connection],
    ['State', `${found.state} (${found.nativeState})`],
    ['Updated', shown(found.updatedAt)],
    ['Closed', shown(found.closedAt)],
    ['Expires', shown(found.expiresAt)],
    ...parties.map((one) => ['Party', `${one.name}: ${one.state}`] as const),
    ...(found.documents ?? []).map(({ name }) => ['Document', name] as const),
    ['Archived', found.archivedFile ?? '-'],
    ['Last read', shown(found.readAt)],
  ]);
  return answer(value, text);
}

/** `agreements download`: the concluded PDF. */
export async function downloadAgreement(
  session: Session,
  id: string,
  { out }: { readonly out: string },
): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const saved = await session.api['agreements.download']({ ...key, file: path.resolve(out) });
  return answer(saved, `Saved ${saved.file} (${saved.bytes} bytes, SHA-256 ${saved.sha256}).`);
}

function listed(one: Agreement, connection: string): object {
  const { id, title, state, nativeState, parties, updatedAt, closedAt, archivedAt } = one;
  return {
    ...{ connection, id, title, state, nativeState, parties },
    updatedAt: iso(updatedAt),
    closedAt: iso(closedAt),
    archived: archivedAt !== null,
  };
}

function timesOf<Name extends string>(
  record: { readonly [Key in Name]: number | null },
  names: readonly Name[],
): object {
  return Object.fromEntries(names.map((name) => [name, iso(record[name])]));
}

/** `agreements …` */
export const agreementCommands: AddCommands = (program, run) => {
  const group = program.command('agreements').description('agreements on the services');
  const list = group
    .command('list')
    .description('list the copies on this computer')
    .addOption(connectionOption())
    .addOption(choiceOption('--state <state>', 'only this state', AgreementState.options))
    .option('--search <text>', 'only those whose title or parties hold this')
    .option('--closed-from <date>', 'closed on this day or later', fromOption)
    .option('--closed-to <date>', 'closed on this day or earlier', untilOption)
    .addOption(choiceOption('--sort <by>', 'order', AgreementSort.options).default('updated'))
    .addOption(wholeOption('--limit <n>', 'at most so many', 1, MOST_LISTED))
    .option('--after <cursor>', 'go on where a list ended')
    .action((options: ListOptions) =>
      run.withDesk('data', (session) => listAgreements(session, options)),
    );
  example(list, 'agreements list --state signed --closed-from 2026-11-01 --json');
  const show = group
    .command('show <id>')
    .description('show one whole; ID, or CONNECTION:ID where two connections know it')
    .option('--refresh', 'read it from the service first')
    .action((id: string, options: { readonly refresh?: boolean }) =>
      run.withDesk('data', (session) => showAgreement(session, id, options)),
    );
  example(show, 'agreements show 004711000001 --refresh');
  const download = group
    .command('download <id>')
    .description('save the concluded PDF')
    .requiredOption('--out <file>', 'where; nothing is written over')
    .action((id: string, options: { readonly out: string }) =>
      run.withDesk('data', (session) => downloadAgreement(session, id, options)),
    );
  example(download, 'agreements download Office:004711000001 --out lease.pdf');
  for (const add of [addReads, addSeveral, addChanges, addOfV2]) add(group, run);
};
