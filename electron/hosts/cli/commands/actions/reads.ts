import path from 'node:path';
import type { Command } from 'commander';
import { type Answer, answer, failedItem } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { AGREEMENT_ID_HELP, PARTY_HELP } from '../../input/options.ts';
import { example, addExitSixHelp, type Runner } from '../../session/group.ts';
import { partyNamed } from './parties.ts';
import { agreementNamed } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';
import { plain, table } from '../../output/text.ts';

async function saveAttachments(
  session: Session,
  id: string,
  { to }: { readonly to: string },
): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const saved = await session.api['actions.saveDocuments']({ key, folder: path.resolve(to) });
  const files = saved.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  const failed = saved.failed.map(({ name, failure }) => ({ name, ...failedItem(failure) }));
  const value = failed.length === 0 ? { files } : { files, failed };
  const said = [
    ...saved.files.map(({ name, bytes }) => `Saved ${plain(name)} (${bytes} bytes).`),
    ...saved.failed.map(({ name, failure }) => `Failed: ${plain(name)}: ${failure.message}`),
  ];
  const text = said.length === 0 ? 'There are no attachments.' : said.join('\n');
  return answer(value, text, failed.length === 0 ? exits.done : exits.inPart);
}

async function showFields(session: Session, id: string): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const found = await session.api['actions.fieldValues']({ key });
  const value = found ?? { templateId: null, fields: [] };
  const rows = value.fields.map((one) => [one.name, String(one.value ?? '-')]);
  const none = 'The agreement was not made from a template.';
  return answer(value, table(['FIELD', 'VALUE'], rows, none));
}

/**
 * `agreements raw`: prints the text as it was received, without control characters for the
 * terminal.
 */
async function showRaw(
  session: Session,
  id: string,
  { xml = false }: { readonly xml?: boolean },
): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const form = xml ? 'xml' : 'json';
  const { text } = await session.api['actions.raw']({ key, form });
  const lines = text.split(/([\t\n])/).map((part) => (/^[\t\n]$/.test(part) ? part : plain(part)));
  return answer({ form, text }, lines.join(''));
}

/**
 * `agreements link`: prints the party's own address for signing. Anyone who has it can sign as the
 * party, so it is read again each time and never stored.
 */
async function showLink(
  session: Session,
  id: string,
  { party }: { readonly party: string },
): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const partyId = await partyNamed(session, key, party);
  const { link } = await session.api['actions.signingLink']({ key, partyId });
  session.report.note(
    'Anyone who opens this link can sign as this party. Give it only to this party.',
  );
  return answer({ link }, plain(link));
}

/** Adds the `agreements` commands that only read. */
export function addReadCommands(group: Command, run: Runner): void {
  const attachments = group
    .command('attachments')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('v1: save all attachments of an agreement')
    .requiredOption('--to <dir>', 'target folder; existing files are never overwritten')
    .action((id: string, options: { readonly to: string }) =>
      run.withDesk('data', (session) => saveAttachments(session, id, options)),
    );
  addExitSixHelp(attachments, 'some attachments could not be saved');
  example(attachments, 'agreements attachments 004711000001 --to ./attachments');
  const fields = group
    .command('fields')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('v2: list the values that were filled into the template of an agreement')
    .action((id: string) => run.withDesk('data', (session) => showFields(session, id)));
  example(fields, 'agreements fields Old:004711000001');
  const raw = group
    .command('raw')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('print the unchanged response of the service, as JSON')
    .option('--xml', 'v2: print XML instead')
    .action((id: string, options: { readonly xml?: boolean }) =>
      run.withDesk('data', (session) => showRaw(session, id, options)),
    );
  example(raw, 'agreements raw 004711000001');
  const link = group
    .command('link')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('v1: print the personal signing link of a party')
    .requiredOption('--party <who>', PARTY_HELP)
    .action((id: string, options: { readonly party: string }) =>
      run.withDesk('data', (session) => showLink(session, id, options)),
    );
  example(link, 'agreements link 004711000001 --party asa@example.com');
}
