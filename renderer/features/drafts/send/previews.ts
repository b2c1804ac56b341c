import type {
  DraftBodyV1,
  DraftBodyV2,
  DraftContent,
  DraftFile,
} from '../../../../shared/contract/drafts.ts';
import type { PartyV1 } from '../../../../shared/model/agreement-v1.ts';
import { partyNames } from '../../../../shared/rules/drafts/check.ts';
import { effectiveLocale } from '../../../../shared/rules/drafts/effective-language.ts';
import { type Contact, invitationsOf } from '../../../../shared/rules/drafts/parts/contacts.ts';
import { formatBytes, formatNames } from '../../../ui/format.ts';
import { m } from '../../../ui/language.svelte.ts';
import { joinFacts } from '../../../ui/join-facts.ts';
import { methodV1, methodV2 } from '../method-words.ts';
import { type Notice, choiceOf, MESSAGE_PLACEHOLDER } from '../notices/notices.ts';
import {
  attachmentName,
  effectiveWords,
  localeName,
  mediumName,
  messageWords,
  noticeSummary,
  partyLetter,
} from '../words.ts';

/** A line of the check before a send: a document, with its facts. */
export interface DocumentLine {
  readonly name: string;
  readonly facts: string;
}

/** A party in the check before a send, with the facts about its messages that the API texts give. */
export interface PartyPreview {
  readonly name: string;
  /** Signing methods and addresses. */
  readonly summary: string;
  readonly rows: readonly { readonly name: string; readonly value: string }[];
  /** Text that the user added to the invitation, which may be HTML (API v2); null if there is none. */
  readonly html: string | null;
}

/** The documents in the order in which the parties see them. */
export function documentLines(
  content: DraftContent,
  files: readonly DraftFile[],
): readonly DocumentLine[] {
  if (content.api === 'v2' && content.body.type !== 'ATTACHED') {
    const { type, dynamicPdf } = content.body;
    return type === 'FREE_TEXT'
      ? [{ name: m.draft_kind_text(), facts: '' }]
      : [{ name: m.draft_kind_template(), facts: dynamicPdf?.templateId ?? '' }];
  }
  const categories =
    content.api === 'v1' ? content.body.attachments.map(({ category }) => category) : [];
  return (content.body.attachments ?? []).map((row, index) => {
    const file = files.find(({ id }) => id === row.file);
    const facts = [
      content.api === 'v1' && categories[index] !== 'AGREEMENT' ? m.draft_category_reference() : '',
      file === undefined || file.pages === null ? '' : m.draft_pages({ count: file.pages }),
      file === undefined ? '' : formatBytes(file.bytes),
    ];
    return { name: attachmentName(row, files), facts: joinFacts(facts) };
  });
}

export function partyPreviews(content: DraftContent): readonly PartyPreview[] {
  const names = partyNames(content);
  const { parties } = invitationsOf(content);
  const details =
    content.api === 'v1'
      ? content.body.parties.map((party, index) =>
          detailsV1(content.body, party, parties[index]?.contacts ?? []),
        )
      : detailsV2(content.body, parties);
  return details.map(({ methods, rows, html, ownName }, index) => {
    const { isFirst = true, contacts = [] } = parties[index] ?? {};
    const addresses = contacts.map(({ recipient }) => recipient.address);
    return {
      name: names[index] || ownName || m.draft_party_nameless({ letter: partyLetter(index) }),
      summary: joinFacts([
        formatNames(methods),
        formatNames(addresses) || m.draft_send_uninvited(),
        isFirst || contacts.length === 0 ? '' : m.draft_send_invited_later(),
      ]),
      rows,
      html,
    };
  });
}

interface PartyDetails {
  readonly methods: readonly string[];
  readonly rows: PartyPreview['rows'];
  readonly html: string | null;
  /** Name of the party if the draft has none. */
  readonly ownName: string;
}

function detailsV1(body: DraftBodyV1, party: PartyV1, contacts: readonly Contact[]): PartyDetails {
  const blocks = [...new Map(contacts.map((one) => [one.block, one])).values()];
  const gates = party.identificationConfigurations ?? [];
  return {
    methods: party.signingConfigurations.map(({ type }) => methodV1(type).word()),
    rows: [
      ...(gates.length === 0
        ? []
        : [
            {
              name: m.identification_title(),
              value: formatNames(
                gates.map(({ type }) =>
                  type === 'EID' ? m.identification_eid() : m.identification_sms(),
                ),
              ),
            },
          ]),
      ...blocks.flatMap(({ recipient: { medium }, block }) =>
        messageRows(body, party, medium, block),
      ),
      {
        name: m.notice_party(),
        value:
          choiceOf(party) === 'standard' ? m.notice_summary_standard() : noticeSummary(party, ''),
      },
    ],
    html: null,
    ownName: party.type === 'MY_COMPANY' ? m.draft_my_company() : '',
  };
}

/** The invitation as API v1 describes it ("Notification", "Configuration (agreement level)"). */
function messageRows(
  body: DraftBodyV1,
  party: PartyV1,
  medium: 'email' | 'sms',
  block: Notice | null,
): PartyPreview['rows'] {
  const owner = body.configurations?.find(({ type }) => type === 'OWNER_DETAILS');
  const sender = medium === 'sms' ? owner?.companyShortName : owner?.companyName;
  const text = block?.placeholders?.[MESSAGE_PLACEHOLDER] ?? '';
  return [
    {
      name: mediumName(medium === 'sms' ? 'SMS' : 'EMAIL'),
      value: block?.templateId
        ? m.draft_send_template({ id: block.templateId })
        : m.draft_send_standard(),
    },
    { name: m.draft_send_sender(), value: sender || m.draft_send_sender_account() },
    {
      name: m.draft_language(),
      value: effectiveWords(effectiveLocale({ body, party, block }), localeName),
    },
    ...(text === '' ? [] : [{ name: m.notice_message(), value: text }]),
  ];
}

/** The emails as API v2 describes them ("Agreement request (create)"). */
function detailsV2(
  body: DraftBodyV2,
  invited: readonly { readonly contacts: readonly Contact[] }[],
): readonly PartyDetails[] {
  const { notificationMessages: messages, drawSignature, allowEmailSigning } = body;
  const posted = messages?.find(({ type }) => type === 'posted');
  const value =
    messages === undefined
      ? m.notice_summary_standard()
      : formatNames((messages ?? []).map(({ type }) => messageWords[type]())) ||
        m.notice_summary_none();
  return [...body.parties.privates, ...body.parties.companies].map((party, index) => {
    const isInvited = (invited[index]?.contacts.length ?? 0) > 0;
    // API v2, "Party": without a method, the party signs with an e-identity.
    const methods = (party.signMethods ?? ['EID']).map(methodV2);
    return {
      methods: drawSignature === true ? [...methods, m.method_draw()] : methods,
      rows: [
        ...(isInvited
          ? [
              {
                name: mediumName('EMAIL'),
                value:
                  allowEmailSigning === true
                    ? m.draft_send_standard()
                    : m.draft_send_standard_home(),
              },
            ]
          : []),
        { name: m.messages_title(), value },
      ],
      html: (isInvited && posted?.additionalText) || null,
      ownName: '',
    };
  });
}
