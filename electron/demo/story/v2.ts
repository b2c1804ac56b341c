import { company, otherCompany } from '../state/account.ts';
import { Place } from '../server/body.ts';
import { isOurs } from '../events/counterpart.ts';
import { storyPdf } from './story-pdf.ts';
import { companyV2, personV2 } from './parties.ts';
import type { Service } from '../state/service.ts';
import { DAY, SECOND } from '../server/stamps.ts';
import { readLegacy } from '../v2/create.ts';
import {
  isPosted,
  rejectByTime,
  rejectLegacy,
  revokeLegacy,
  signLegacy,
} from '../state/life-v2.ts';
import type { LegacyAgreement } from '../state/record-v2.ts';

type Body = Readonly<Record<string, unknown>>;

interface LegacyStory {
  readonly name: string;
  readonly end: 'posted' | 'others-signed' | 'closed' | 'rejected' | 'timed-out' | 'revoked';
  /** Number of days since the agreement was posted. */
  readonly age: number;
  readonly privates?: readonly Body[];
  readonly companies?: readonly Body[];
  /** The content to sign; default: one PDF named after the agreement. */
  readonly content?: Body;
  readonly expireIn?: number;
  readonly owner?: string;
}

const ourLegacyParty = (more: Body = {}) => companyV2(company.orgNo, 'märta', more);
const theirLegacyParty = companyV2(otherCompany.orgNo, 'björn');
const freeTextContent = (text: string) => ({ type: 'FREE_TEXT', text });
const leaseContent = {
  type: 'DYNAMIC_PDF',
  dynamicPdf: {
    templateId: '70001',
    fields: [
      { name: 'tenant', value: 'Åsa Öberg' },
      { name: 'address', value: 'Järnvägsgatan 7, Växjö' },
      { name: 'monthly_rent', value: '8 450 kr' },
      { name: 'parking', value: true },
    ],
  },
};
const onlyMärta = {
  allowedPersons: [{ personNo: '19850709-9805', firstName: 'Märta', lastName: 'Wikström' }],
};

export const legacyStories: readonly LegacyStory[] = [
  {
    name: 'Serviceavtal hiss',
    end: 'posted',
    age: 2,
    companies: [ourLegacyParty(), theirLegacyParty],
  },
  {
    name: 'Uthyrning förråd 14',
    end: 'others-signed',
    age: 4,
    privates: [personV2('åsa')],
    companies: [ourLegacyParty()],
  },
  {
    name: 'Ramavtal städning',
    end: 'posted',
    age: 1,
    companies: [ourLegacyParty(onlyMärta)],
    expireIn: 8,
  },
  {
    name: 'Inbjudan från Östra Hamnen',
    end: 'posted',
    age: 3,
    companies: [ourLegacyParty()],
    owner: otherCompany.orgNo,
  },
  {
    name: 'Parkeringsavtal',
    end: 'posted',
    age: 5,
    privates: [personV2('nils'), personV2('björn', 'EID', { signingOrder: 2 })],
    expireIn: 9,
  },
  {
    name: 'Hyresavtal bostad',
    end: 'posted',
    age: 2,
    privates: [personV2('åsa')],
    content: leaseContent,
  },
  {
    name: 'Medgivande',
    end: 'posted',
    age: 0,
    privates: [personV2('päivi', 'SMS_OTP')],
    content: freeTextContent('<p>Jag godkänner <b>villkoren</b>.</p>'),
  },
  {
    name: 'Hyresavtal bostad',
    end: 'closed',
    age: 50,
    privates: [personV2('björn')],
    content: leaseContent,
  },
  {
    name: 'Hyresavtal bostad',
    end: 'closed',
    age: 44,
    privates: [personV2('nils', 'EMAIL')],
    content: leaseContent,
  },
  {
    name: 'Rahmenvertrag 7/2026',
    end: 'closed',
    age: 31,
    privates: [personV2('günther', 'EMAIL_OTP')],
    companies: [ourLegacyParty()],
  },
  {
    name: 'Powierzenie przetwarzania danych',
    end: 'closed',
    age: 25,
    privates: [personV2('łukasz', 'EMAIL')],
    content: freeTextContent('Zażółć gęślą jaźń.'),
  },
  {
    name: 'Sekretessförbindelse',
    end: 'closed',
    age: 10,
    companies: [theirLegacyParty, ourLegacyParty()],
  },
  { name: 'Uppsägning av lokal', end: 'rejected', age: 12, privates: [personV2('märta')] },
  {
    name: 'Erbjudande som löpte ut',
    end: 'timed-out',
    age: 65,
    privates: [personV2('søren', 'EMAIL')],
  },
  {
    name: 'Återkallat: fel bilaga',
    end: 'revoked',
    age: 7,
    privates: [personV2('hélène', 'EMAIL')],
  },
  {
    name: 'Östra Hamnens eget avtal',
    end: 'posted',
    age: 6,
    companies: [theirLegacyParty],
    owner: otherCompany.orgNo,
  },
];

/** Creates one agreement through the same parser as a request, and brings it to its outcome. */
export async function playLegacyStory(story: LegacyStory, service: Service): Promise<void> {
  const posted = service.now() - story.age * DAY - 90 * SECOND;
  const body = {
    name: story.name,
    ...(story.content ?? (await attachmentContent(story.name))),
    parties: { privates: story.privates ?? [], companies: story.companies ?? [] },
    ...(story.expireIn === undefined ? {} : { expireIn: story.expireIn }),
  };
  const by = { now: posted, ownerOrgNo: story.owner ?? company.orgNo };
  const { agreement } = readLegacy(new Place(body), service, by);
  service.store.legacy.set(agreement.referenceNumber, agreement);
  applyLegacyOutcome(agreement, story.end, posted + 60 * SECOND);
}

/** Adds a file that another company has uploaded: it exists, but our company may not read it. */
export function plantForeignUpload({ store, now }: Service): void {
  store.uploads.set('foreign-upload', {
    token: 'foreign-upload',
    ownerOrgNo: otherCompany.orgNo,
    fileName: 'Hemligt.pdf',
    size: 0,
    createdOn: now(),
    blob: null,
    isRemoved: false,
  });
}

async function attachmentContent(name: string): Promise<Body> {
  const data = await storyPdf(name, ['Avtalet gäller från dagen för undertecknandet.']);
  return { type: 'ATTACHED', attachments: [{ name: `${name}.pdf`, data }] };
}

function applyLegacyOutcome(agreement: LegacyAgreement, end: LegacyStory['end'], at: number): void {
  const [first] = agreement.parties;
  switch (end) {
    case 'posted':
      return;
    case 'others-signed':
      for (const party of agreement.parties)
        if (!isOurs(party)) signLegacy(agreement, party, { at });
      return;
    case 'closed':
      for (const party of agreement.parties) signLegacy(agreement, party, { at });
      return;
    case 'rejected':
      if (first !== undefined && isPosted(agreement)) rejectLegacy(agreement, first, { at });
      return;
    case 'timed-out':
      rejectByTime(agreement, agreement.expireOn);
      return;
    case 'revoked':
      revokeLegacy(agreement, at);
  }
}
