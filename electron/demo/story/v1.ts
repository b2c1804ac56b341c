import { user } from '../state/account.ts';
import { Place } from '../server/body.ts';
import { readyCounterparts, rejectionReasonOf, signAsPerson } from '../events/counterpart.ts';
import { isPdfName } from '../server/formats.ts';
import { storyPdf } from './story-pdf.ts';
import type { Ending, Story } from './v1-stories.ts';
import type { Service } from '../state/service.ts';
import { DAY, SECOND, toCompactStamp } from '../server/stamps.ts';
import { addAgreement, readAgreement } from '../v1/create.ts';
import { expire, isOpen, post, reject, revoke } from '../state/life-v1.ts';
import type { Agreement } from '../state/record-v1.ts';

const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const PARAGRAPHS = [
  'Avtalet gäller från dagen för undertecknandet. – The agreement is valid from the day it is signed.',
  'Der Vertrag gilt ab dem Tag der Unterzeichnung. – Umowa obowiązuje od dnia podpisania.',
  'Le contrat prend effet à la date de signature. – El contrato rige desde el día de su firma.',
];

/** Creates one agreement through the same parser as a request, and brings it to its outcome. */
export async function playStory(story: Story, service: Service): Promise<void> {
  const now = service.now();
  const created = now - story.age * DAY - 5 * MINUTE;
  const body = { ...(await bodyOf(story, now)), ...story.more };
  const agreement = await readAgreement(new Place(body), service, {
    now: created,
    ownerId: story.owner ?? user.id,
  });
  addAgreement(agreement, service);
  applyOutcome(agreement, story.end, created);
  const delay = service.counterpartDelayMs;
  if (story.actsIn !== undefined && delay !== null) agreement.actAt = now + story.actsIn * MINUTE;
}

async function bodyOf(story: Story, now: number): Promise<Record<string, unknown>> {
  const files = story.files ?? [`${story.title.slice(0, 200)}.pdf`];
  const pdf = story.pdf ?? (await storyPdf(story.title, PARAGRAPHS));
  const text = Buffer.from(story.title).toString('base64');
  return {
    title: story.title,
    parties: story.parties,
    attachments: files.map((file) => ({
      type: 'BASE64',
      name: file.replace(/^\+/, ''),
      data: isPdfName(file) ? pdf : text,
      category: file.startsWith('+') ? 'REF_DOC' : 'AGREEMENT',
    })),
    tags: story.tags ?? {},
    ...deadlineField('expireOn', story.expires, now),
    ...deadlineField('deleteOn', story.deletes, now),
  };
}

function deadlineField(key: string, days: number | undefined, now: number): Record<string, string> {
  return days === undefined ? {} : { [key]: toCompactStamp(now + days * DAY) };
}

function applyOutcome(agreement: Agreement, end: Ending, created: number): void {
  if (end === 'draft') return;
  if (end === 'ready-to-send') {
    agreement.state = 'READY_TO_SEND';
    return;
  }
  post(agreement, created);
  let at = created + MINUTE;
  const signOthers = (most: number): void => {
    for (let count = 0; count < most; count += 1) {
      const [party] = readyCounterparts(agreement);
      if (party === undefined) return;
      signAsPerson(agreement, party, at);
      at += MINUTE;
    }
  };
  switch (end) {
    case 'sent':
      return;
    case 'partly':
      signOthers(1);
      return;
    case 'ours':
      signOthers(Number.POSITIVE_INFINITY);
      return;
    case 'closed':
    case 'imported':
      signEveryone(agreement, at);
      if (end === 'imported') markImported(agreement, at);
      return;
    case 'rejected':
      rejectByFirst(agreement, at);
      return;
    case 'revoked':
      revoke(agreement, created + HOUR);
      return;
    case 'expired':
      expire(agreement, agreement.expireOn ?? at);
  }
}

function signEveryone(agreement: Agreement, from: number): void {
  let at = from;
  while (isOpen(agreement)) {
    const party = agreement.parties.find(({ state }) => state === 'READY_TO_SIGN');
    if (party === undefined) return;
    signAsPerson(agreement, party, at);
    at += MINUTE;
  }
}

function markImported(agreement: Agreement, at: number): void {
  agreement.importedOn = at;
  agreement.postedOn = null;
}

function rejectByFirst(agreement: Agreement, at: number): void {
  const [party] = readyCounterparts(agreement);
  if (party !== undefined) reject(agreement, party, rejectionReasonOf(party.id), at);
}
