import path from 'node:path';
import type { Connection } from '../../../../shared/contract/connections.ts';
import type { LinkedDraft, LinkFault } from '../../../../shared/contract/links.ts';
import { AppError } from '../../../../shared/errors.ts';
import { linkedContent } from '../../../../shared/rules/links/fill.ts';
import { readLink } from '../../../../shared/rules/links/link.ts';
import { isLink } from '../../../../shared/rules/links/scheme.ts';
import { DRAFT_EXTENSION } from '../../../../shared/rules/drafts/extensions.ts';
import type { AgreementId } from '../../../../shared/model/ids.ts';
import { readBytes } from '../input/local-files.ts';
import { type Answer, answer } from '../output/answer.ts';
import { table } from '../output/text.ts';
import { type AddCommands, example } from '../session/group.ts';
import { connectionNamed, connectionNames } from '../session/names.ts';
import type { Session } from '../session/session.ts';

const linkFaultTexts = {
  'too-long': 'The link is too long; it was not opened',
  damaged: 'The link cannot be read; copy the whole link and try again',
  unknown:
    'The link requests an action that is not possible with links. Nothing was opened or changed',
  'too-much': 'The link contains more values than a draft can have. No draft was added',
} as const satisfies Record<LinkFault, string>;

interface ConnectionChoice {
  readonly connection?: string;
}

/** `open`: opens a link or a file as the window would, as far as a command can. */
async function openArgument(
  session: Session,
  given: string,
  where: ConnectionChoice,
): Promise<Answer> {
  if (!isLink(given)) return openFile(session, given);
  const link = readLink(given);
  switch (link.kind) {
    case 'agreement':
      return findAgreement(session, link.id);
    case 'draft':
      return fillDraft(session, link.draft, where);
    case 'refused':
      throw new AppError('invalid', linkFaultTexts[link.why]);
  }
}

/** Lists the matching agreements; the window would show the agreement. */
async function findAgreement(session: Session, id: AgreementId): Promise<Answer> {
  const { api } = session;
  const keys = await api['agreements.find']({ id });
  if (keys.length === 0) {
    throw new AppError('not-found', `There is no agreement ${id} here; run signing-desk sync`);
  }
  const nameOf = await connectionNames(session);
  const items = await Promise.all(
    keys.map(async (key) => {
      const { title, state } = await api['agreements.show']({ ...key, refresh: false });
      return { id, connection: nameOf(key.connectionId), title, state };
    }),
  );
  const rows = items.map((one) => [`${one.connection}:${one.id}`, one.state, one.title]);
  const text = table(['AGREEMENT', 'STATE', 'TITLE'], rows, '');
  return answer({ opens: 'agreement', items }, text);
}

async function fillDraft(
  session: Session,
  draft: LinkedDraft,
  where: ConnectionChoice,
): Promise<Answer> {
  const to = await connectionOf(session, where);
  const content = linkedContent(to?.api ?? 'v1', draft, Date.now());
  const { id } = await session.api['drafts.create']({ content, connectionId: to?.id ?? null });
  if (to?.api === 'v2' && draft.parties.some(({ kind }) => kind === 'company')) {
    session.report.note('API v2 has no company names: add the company numbers to the draft.');
  }
  const said = `Added draft ${id} with the values of the link. Check the draft before you send it.`;
  return answer({ opens: 'draft', id }, said);
}

/** Returns the named connection, or the only one; null if no connection was added yet. */
async function connectionOf(
  session: Session,
  { connection }: ConnectionChoice,
): Promise<Connection | null> {
  if (connection !== undefined) return connectionNamed(session, connection);
  const all = await session.api['connections.list']({});
  if (all.length < 2) return all[0] ?? null;
  const names = all.map(({ name }) => name).join(', ');
  const message = `There are several connections; choose one with --connection: ${names}`;
  throw new AppError('invalid', message);
}

async function openFile(session: Session, file: string): Promise<Answer> {
  if (!file.toLowerCase().endsWith(DRAFT_EXTENSION)) {
    const message = `Write a link (signingdesk:…) or a file that ends with ${DRAFT_EXTENSION}`;
    throw new AppError('invalid', message);
  }
  const bytes = session.giveBytes(await readBytes(file));
  const { id } = await session.api['drafts.import']({ bytes, connectionId: null });
  const said = `Added draft ${id} from ${path.basename(file)}. Check the draft before you send it.`;
  return answer({ opens: 'draft', id }, said);
}

export const linkCommands: AddCommands = (command, run) => {
  command
    .option(
      '--connection <name>',
      'connection for the new draft; needed if there are several connections',
    )
    .action((given: string, where: ConnectionChoice) =>
      run.withDesk('data', (session) => openArgument(session, given, where)),
    );
  command.addHelpText(
    'after',
    `
Links:
  signingdesk:agreement/ID           shows which agreement the window would open
  signingdesk:draft?title=TEXT       adds a draft with this title. The link may also contain
                                     message=TEXT, person=NAME <ADDRESS> and
                                     company=NAME <ADDRESS>. The values are percent-encoded;
                                     person and company can be repeated.
A link never sends or signs, and never names a file.`,
  );
  example(command, 'open signingdesk:agreement/004711000001');
};
