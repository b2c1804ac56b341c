import path from 'node:path';
import type { ListColumn } from '../../../../../shared/contract/agreement-views.ts';
import type { Agreement, AgreementDetails } from '../../../../../shared/contract/agreements.ts';
import { isOurs } from '../../../../../shared/rules/agreements/access.ts';
import {
  englishHeading,
  optionalPartsFor,
} from '../../../../../shared/rules/agreements/columns.ts';
import { agreementLink } from '../../../../../shared/rules/links/link.ts';
import { addChangeCommands } from '../actions/changes.ts';
import { addCorrectionCommands } from '../actions/corrections.ts';
import { addExtrasCommands } from '../actions/extras.ts';
import { addReadCommands } from '../actions/reads.ts';
import { addBulkCommands } from '../actions/several.ts';
import { addV2Actions } from '../actions/v2.ts';
import { addCopyCommands } from './copies.ts';
import { chosenColumns, columnsOption, textOf, valueOf } from './columns.ts';
import { addFilterOptions, filterOf, type FilterOptions } from './filter.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { firstSync } from '../sync/first-sync.ts';
import { agreementNamed, connectionNames } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';
import { count, pairs, table } from '../../output/text.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';
import { type AddCommands, example } from '../../session/group.ts';
import { AGREEMENT_ID_HELP, wholeNumberOption } from '../../input/options.ts';

/** Maximum number of agreements in one page of the contract. */
const MAX_AGREEMENTS_PER_PAGE = 1000;

interface ListOptions extends FilterOptions {
  readonly limit?: number;
  readonly after?: string;
  readonly columns?: readonly string[];
}

const defaultListColumns: readonly ListColumn[] = ['id', 'connection', 'state', 'updated', 'title'];

/** `agreements list`: lists the copies on this computer. */
async function listAgreements(session: Session, options: ListOptions): Promise<Answer> {
  await firstSync(session, options.connection);
  const { limit, after } = options;
  const chosen = options.columns === undefined ? null : chosenColumns(options.columns);
  const columns = chosen ?? defaultListColumns;
  const page = await session.api['agreements.list']({
    ...(await filterOf(session, options)),
    more: optionalPartsFor(columns),
    ...(limit !== undefined && { limit }),
    ...(after !== undefined && { after }),
  });
  const nameOf = await connectionNames(session);
  const context = { nameOf, now: Date.now() };
  const items = page.items.map((one) =>
    chosen === null
      ? agreementForOutput(one, nameOf(one.connectionId))
      : Object.fromEntries(chosen.map((column) => [column, valueOf(one, column, context)])),
  );
  const rows = page.items.map((one) => columns.map((column) => textOf(one, column, context)));
  const headings = columns.map((column) => englishHeading(column).toUpperCase());
  const list = table(headings, rows, 'No agreements found.');
  const more = page.next === null ? '' : `; for the next ones, add --after ${page.next}`;
  const text = `${list}\n${page.items.length} of ${count(page.total, 'agreement')}${more}`;
  return answer({ items, total: page.total, next: page.next }, text);
}

async function showAgreement(
  session: Session,
  id: string,
  { refresh = false }: { readonly refresh?: boolean },
): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const { connectionId, ...found } = await session.api['agreements.show']({ ...key, refresh });
  const value = {
    connection: (await connectionNames(session))(connectionId),
    ...found,
    link: agreementLink(found.id),
    ...isoTimesOf(found, ['createdAt', 'sentAt', 'updatedAt', 'closedAt', 'expiresAt']),
    ...isoTimesOf(found, ['deletesAt', 'archivedAt', 'readAt']),
    parties: found.parties?.map((one) => ({ ...one, signedAt: toIsoText(one.signedAt) })) ?? null,
    timeline: found.timeline.map((entry) => ({ ...entry, at: toIsoText(entry.at) })),
  };
  const parties = found.parties ?? [];
  const text = pairs([
    ['Title', found.title],
    ['ID', found.id],
    ['Connection', value.connection],
    ['Link', value.link],
    ['State', `${found.state} (${found.nativeState})`],
    ['Updated', toShownTime(found.updatedAt)],
    ['Sent', toShownTime(found.sentAt)],
    ['Closed', toShownTime(found.closedAt)],
    ['Expires', toShownTime(found.expiresAt)],
    ['Deleted on', toShownTime(found.deletesAt)],
    ...(isOurs(found) === false
      ? [['Belongs to', found.access?.owner?.name ?? 'someone else'] as const]
      : []),
    ...parties.map((one) => ['Party', `${one.name}: ${one.state}`] as const),
    ...(found.documents ?? []).map(({ name }) => ['Document', name] as const),
    ...Object.entries(found.tags ?? {}).map(([name, tag]) => ['Tag', `${name}: ${tag}`] as const),
    ['Archived', archivedText(found)],
    ['Last read', toShownTime(found.readAt)],
  ]);
  return answer(value, text);
}

const archivedText = ({
  archivedFile,
  archiveDamage = null,
}: Pick<AgreementDetails, 'archivedFile' | 'archiveDamage'>): string =>
  `${archivedFile ?? '-'}${archiveDamage === null ? '' : ` (${archiveDamage})`}`;

/**
 * `agreements download`: saves the concluded PDF, or the PDF that API v2 provides before that, with
 * a note.
 */
async function downloadAgreement(
  session: Session,
  id: string,
  { out }: { readonly out: string },
): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const { state } = await session.api['agreements.show']({ ...key, refresh: true });
  const saved = await session.api['agreements.download']({ ...key, file: path.resolve(out) });
  const isUnsigned = state !== 'signed';
  const mark = isUnsigned ? '\nThis is an unsigned copy: some parties have not signed yet.' : '';
  const text = `Saved ${saved.file} (${saved.bytes} bytes, SHA-256 ${saved.sha256}).${mark}`;
  return answer({ ...saved, unsigned: isUnsigned }, text);
}

function agreementForOutput(one: Agreement, connection: string): object {
  const { id, title, state, nativeState, parties, updatedAt, closedAt, archivedAt } = one;
  return {
    connection,
    id,
    title,
    state,
    nativeState,
    parties,
    updatedAt: toIsoText(updatedAt),
    closedAt: toIsoText(closedAt),
    archived: archivedAt !== null,
  };
}

function isoTimesOf<Name extends string>(
  record: { readonly [Key in Name]: number | null },
  names: readonly Name[],
): object {
  return Object.fromEntries(names.map((name) => [name, toIsoText(record[name])]));
}

export const agreementCommands: AddCommands = (group, run) => {
  const list = addFilterOptions(
    group.command('list').description('list the copies of agreements on this computer'),
  )
    .addOption(
      wholeNumberOption('--limit <n>', 'maximum number of agreements', 1, MAX_AGREEMENTS_PER_PAGE),
    )
    .option(
      '--after <cursor>',
      'continue an earlier list: enter the value that the list printed at its end',
    )
    .addOption(columnsOption('columns to show, in this order; JSON output has the same columns'))
    .action((options: ListOptions) =>
      run.withDesk('data', (session) => listAgreements(session, options)),
    );
  example(list, 'agreements list --state signed --closed-from 2026-11-01 --json');
  example(list, 'agreements list --my-turn --columns id title days-waiting tags');
  const show = group
    .command('show')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('show all details of an agreement')
    .option('--refresh', 'read the agreement from the service first')
    .action((id: string, options: { readonly refresh?: boolean }) =>
      run.withDesk('data', (session) => showAgreement(session, id, options)),
    );
  example(show, 'agreements show 004711000001 --refresh');
  const download = group
    .command('download')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description(
      'save the signed PDF; before all parties have signed, v2 may give an unsigned copy',
    )
    .requiredOption('--out <file>', 'output file; an existing file is never overwritten')
    .action((id: string, options: { readonly out: string }) =>
      run.withDesk('data', (session) => downloadAgreement(session, id, options)),
    );
  example(download, 'agreements download Office:004711000001 --out lease.pdf');
  for (const add of [
    addReadCommands,
    addExtrasCommands,
    addBulkCommands,
    addChangeCommands,
    addCorrectionCommands,
    addCopyCommands,
    addV2Actions,
  ])
    add(group, run);
};
