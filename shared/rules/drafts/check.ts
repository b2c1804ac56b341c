import type { DraftBodyV2, DraftCheck, DraftContent } from '../../contract/drafts.ts';
import { withoutPersonNumbers } from '../text/mask.ts';
import { checkBlanks } from './parts/blanks.ts';
import { contactsOf, countContacts, fullName, invitationsOf, nameV1 } from './parts/contacts.ts';
import type { Documents } from './parts/documents.ts';
import { rejectUnallowedRecipients } from './parts/strangers.ts';
import { laterRecipientsOf } from './parts/later.ts';
import { createFindings, type Findings, textOrNullIfEmpty } from './parts/findings.ts';
import { checkV1 } from './v1/check.ts';
import { checkV2 } from './v2/check.ts';

/**
 * Returns the errors for which the service would reject the draft, warnings for the user, and who
 * is notified as soon as the service accepts it. `now` is the time of the check (epoch ms): a valid
 * draft may become invalid as time passes. `allowed` lists the allowed recipients of the draft's
 * connection; null allows everyone.
 */
export function checkDraft(
  content: DraftContent,
  documents: Documents,
  now: number,
  allowed: readonly string[] | null = null,
): DraftCheck {
  const findings = createFindings();
  if (content.api === 'v1') checkV1(content.body, documents, now, findings);
  else checkV2(content.body, documents, now, findings);
  checkBlanks(content, findings);
  warnOfNoNotification(content, findings);
  warnOfSharedAddress(content, findings);
  rejectUnallowedRecipients(content, allowed, findings);
  const contacted = contactsOf(content);
  const recipients = contacted.map(({ recipient }) => recipient);
  return {
    errors: findings.errors,
    warnings: findings.warnings,
    contacts: countContacts(contacted),
    recipients,
    later: laterRecipientsOf(
      content,
      recipients.map(({ address }) => address),
    ),
  };
}

export function titleOf(content: DraftContent): string {
  return content.api === 'v1' ? content.body.title : content.body.name;
}

/**
 * Names of the parties, in the order of the body; in v2, persons are first. A missing name is ''.
 */
export function partyNames(content: DraftContent): readonly string[] {
  if (content.api === 'v1') return content.body.parties.map(nameV1);
  const { privates, companies } = content.body.parties;
  return [...privates.map(fullName), ...companies.map(companyName)];
}

/**
 * Name of a company of API v2, which has no name in a draft: its number, after the person who signs
 * for it. The number of a sole trader can be a personal number.
 */
function companyName(company: DraftBodyV2['parties']['companies'][number]): string {
  const person = fullName(company);
  const number = withoutPersonNumbers(textOrNullIfEmpty(company.orgNo) ?? '');
  return person === '' || number === '' ? person || number : `${person} (${number})`;
}

/**
 * Warns of the parties that are not notified when it is their turn. Recipients that are not parties
 * do not count, and a party for which this program signs needs no notification.
 */
function warnOfNoNotification(content: DraftContent, findings: Findings): void {
  const { parties } = invitationsOf(content);
  if (content.api === 'v2') {
    // Each party needs an address, and the messages of all parties are chosen together.
    if (parties.every(({ contacts }) => contacts.length === 0))
      findings.warn('parties', 'nobody-told');
    return;
  }
  const untold = content.body.parties.flatMap(({ signingConfigurations }, index) => {
    const signsHere = signingConfigurations.some(({ type }) => type === 'API');
    return signsHere || parties[index]?.contacts.length !== 0 ? [] : [index];
  });
  const code = untold.length === parties.length ? 'nobody-told' : 'party-not-told';
  for (const index of untold) findings.warn(`parties.${index}.email`, code);
}

function warnOfSharedAddress(content: DraftContent, findings: Findings): void {
  const seen = new Set<string>();
  for (const { at, email } of addresses(content)) {
    const address = textOrNullIfEmpty(email)?.toLowerCase() ?? null;
    if (address === null) continue;
    if (seen.has(address)) findings.warn(at, 'email-shared');
    seen.add(address);
  }
}

function addresses(
  content: DraftContent,
): readonly { readonly at: string; readonly email: string | undefined }[] {
  const listed = (parties: readonly { readonly email?: string | undefined }[], path: string) =>
    parties.map(({ email }, index) => ({ at: `${path}.${index}.email`, email }));
  if (content.api === 'v1') return listed(content.body.parties, 'parties');
  const { privates, companies } = content.body.parties;
  return [...listed(privates, 'parties.privates'), ...listed(companies, 'parties.companies')];
}
