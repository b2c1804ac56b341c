import type { DraftBodyV1, DraftBodyV2, DraftContent } from '../../contract/drafts.ts';
import type { LinkedDraft } from '../../contract/links.ts';
import type { Person } from '../../contract/people.ts';
import type { PartyV1 } from '../../model/agreement-v1.ts';
import type { ApiName } from '../../model/ids.ts';
import { startContent, startMethod } from '../drafts/start.ts';
import { toE164 } from '../identifiers/phone.ts';
import { toPartyV1, toPartyV2 } from '../people/people.ts';
import { dayOf } from '../time/days.ts';

type NoticeV1 = NonNullable<PartyV1['notifications']>[number];

const DEFAULT_LINK_COUNTRY = 'SE';

/** Notifications sent by default (API v1, "Rules for the `notifications` array"). */
const DEFAULT_NOTICES = [
  'READY_TO_SIGN',
  'VIEWED',
  'SIGNED',
  'EXPIRY_REMINDER',
  'SIGNED_BY_ALL',
  'REJECTED',
  'REVOKED',
  'EXPIRED',
] as const satisfies readonly NoticeV1['type'][];

/**
 * Content of a new draft with the data of a link, otherwise like a draft that the user creates.
 * `now` is the current time (epoch ms). API v2 has no company names, so these are dropped.
 */
export function linkedContent(api: ApiName, draft: LinkedDraft, now: number): DraftContent {
  const start = startContent(api, now);
  return start.api === 'v1'
    ? { api: 'v1', body: fillV1(start.body, draft) }
    : { api: 'v2', body: fillV2(start.body, draft, now) };
}

function fillV1(body: DraftBodyV1, { title, message, parties }: LinkedDraft): DraftBodyV1 {
  const asked = parties.map((person): PartyV1 => {
    const party = toPartyV1(withWholeMobile(person));
    return {
      ...party,
      signingOrder: 1,
      signingConfigurations: [startMethod('EID', party)],
      ...(message !== '' && { notifications: noticesWith(message) }),
    };
  });
  return { ...body, title, parties: asked };
}

function withWholeMobile(person: Person): Person {
  const { mobile } = person;
  return mobile === undefined
    ? person
    : { ...person, mobile: toE164(mobile, DEFAULT_LINK_COUNTRY) ?? mobile };
}

/** Default notifications with a message; standard texts include it (API v1, "Notification"). */
const noticesWith = (message: string): NoticeV1[] =>
  DEFAULT_NOTICES.map((type) =>
    type === 'READY_TO_SIGN' ? { type, placeholders: { message } } : { type },
  );

function fillV2(body: DraftBodyV2, linked: LinkedDraft, now: number): DraftBodyV2 {
  const { title, message, parties } = linked;
  const of = (kind: Person['kind']) =>
    parties
      .filter((person) => person.kind === kind)
      .map((person) => ({
        ...toPartyV2(withWholeMobile(person), dayOf(now)),
        signMethods: ['EID' as const],
        signingOrder: 1,
      }));
  return {
    ...body,
    name: title,
    parties: { privates: of('person'), companies: of('company') },
    ...(message !== '' && {
      notificationMessages: [{ type: 'posted', additionalText: escapeMessageMarkup(message) }],
    }),
  };
}

/** Escapes a message: API v2 formats HTML, but the text of a link must never be markup. */
function escapeMessageMarkup(message: string): string {
  if (!message.includes('<')) return message;
  const escaped = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<p>${escaped.replaceAll('\n', '<br>')}</p>`;
}
