import { colleague, salesGroup, user } from '../state/account.ts';
import { companyV1, ourCompany, personV1 } from './parties.ts';

/** Progress of an agreement of the story. `ours`: everyone before our company has signed. */
export type Ending =
  | 'draft'
  | 'ready-to-send'
  | 'sent'
  | 'partly'
  | 'ours'
  | 'closed'
  | 'rejected'
  | 'revoked'
  | 'expired'
  | 'imported';

export interface Story {
  readonly title: string;
  /**
   * File names; default: one PDF named after the title. A leading `+` marks a reference document.
   */
  readonly files?: readonly string[];
  readonly parties: readonly Readonly<Record<string, unknown>>[];
  readonly end: Ending;
  /** Number of days since the agreement was created. */
  readonly age: number;
  /** Number of days until the agreement expires; negative if it expired in the past. */
  readonly expires?: number;
  readonly deletes?: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly owner?: string;
  /** Content of every PDF in Base64; default: a PDF made from the title. */
  readonly pdf?: string;
  /** Minutes from the service's start until the other parties act. */
  readonly actsIn?: number;
}

const LONG_TITLE =
  'Ramavtal om drift, underhåll, övervakning och vidareutveckling av fastighetssystem i Västra Götaland';
const signsSecond = { signingOrder: 2 };
const accessGrant = (action: string, right: Readonly<Record<string, string>>) => ({
  accessRights: [{ type: 'GRANT_BY_ID', ...right, action }],
});

const storiesWaitingForUs: readonly Story[] = [
  {
    title: 'Anställningsavtal Åsa Öberg',
    parties: [personV1('åsa', 'EID_SE'), ourCompany(signsSecond)],
    end: 'ours',
    age: 3,
    expires: 25,
    tags: { avdelning: 'Försäljning' },
  },
  {
    title: 'Konsultavtal Köln',
    parties: [personV1('günther', 'QES'), ourCompany(signsSecond)],
    end: 'ours',
    age: 6,
    expires: 5,
  },
  {
    title: 'Umowa najmu – Łódź, ul. Piotrkowska 5',
    parties: [personV1('łukasz', 'SMS_OTP'), ourCompany(signsSecond)],
    end: 'ours',
    age: 2,
  },
  {
    title: 'Leverantörsavtal Östra Hamnen',
    files: ['Avtal.pdf', 'Bilaga 1 Prislista.pdf', '+Offert.docx'],
    parties: [
      companyV1('Östra Hamnens Fastigheter AB', 'björn', {
        companyNumber: '5569813599',
        country: 'SE',
      }),
      ourCompany(),
    ],
    end: 'sent',
    age: 1,
    expires: 13,
    tags: { dnr: '2026/0417', projekt: 'Hamnen' },
  },
  {
    title: 'Mutual NDA – O’Brien Ltd',
    parties: [ourCompany(), personV1('siobhan', 'DRAW', signsSecond)],
    end: 'sent',
    age: 1,
    expires: 20,
  },
  {
    title: 'Fullmakt för ombud',
    parties: [
      companyV1('Lindqvist Förvaltning AB', 'märta', {
        country: 'SE',
        companyNumber: '5566778890',
        signingConfigurations: [{ type: 'API' }],
      }),
    ],
    end: 'sent',
    age: 4,
  },
  {
    title: 'Sopimus – Hämeentie 3, Helsinki',
    parties: [personV1('päivi', 'EID_FI'), ourCompany(signsSecond)],
    end: 'sent',
    age: 1,
    expires: 12,
    actsIn: 2,
  },
];

const storiesInProgress: readonly Story[] = [
  {
    title: 'Leieavtale Bjørnstad',
    parties: [personV1('kjersti', 'EID_NO')],
    end: 'sent',
    age: 2,
    expires: 4,
    tags: { region: 'Østlandet' },
  },
  {
    title: 'Lejekontrakt – Ærø Færgeby',
    parties: [personV1('søren', 'EID_DK'), companyV1('Ærø Færger A/S', 'søren', { country: 'DK' })],
    end: 'partly',
    age: 9,
    expires: 2,
  },
  {
    title: 'Dienstleistungsvertrag Größe & Maß GmbH',
    parties: [
      companyV1('Größe & Maß GmbH', 'käthe', { country: 'DE' }),
      personV1('günther', 'QES', signsSecond),
    ],
    end: 'sent',
    age: 5,
    expires: 30,
  },
  {
    title: 'Huurovereenkomst café De Ooievaar',
    parties: [personV1('daniël', 'SMS_OTP')],
    end: 'sent',
    age: 7,
    expires: 6,
    actsIn: 5,
  },
  {
    title: 'Contrat de prestation – été 2026',
    parties: [personV1('hélène', 'DRAW'), personV1('nicolò', 'CLICK')],
    end: 'partly',
    age: 8,
    expires: 21,
  },
  {
    title: 'Contratto di locazione Forlì',
    parties: [
      personV1('nicolò', 'SMS_OTP', {
        identificationConfigurations: [{ type: 'SMS_OTP', identifier: '+46701740651' }],
      }),
    ],
    end: 'sent',
    age: 3,
    expires: 40,
  },
  {
    title: 'Contrato de confidencialidad – Núñez',
    parties: [personV1('josé', 'DRAW'), personV1('begoña', 'CLICK', signsSecond)],
    end: 'partly',
    age: 4,
  },
  {
    title: 'Partnership agreement',
    files: ['Agreement.pdf', 'Terms.pdf', 'Price list.pdf'],
    parties: [
      companyV1('Thompson & Sons Ltd', 'oliver', { country: 'GB' }),
      personV1('siobhan', 'CLICK'),
    ],
    end: 'sent',
    age: 10,
    expires: 50,
    more: { links: [{ type: 'WEBFLOW_SIGNING_SUCCEEDED', href: 'https://www.example.com/tack' }] },
  },
  {
    title: 'Samtycke till behandling av personuppgifter',
    parties: [personV1('nils', 'TBS')],
    end: 'sent',
    age: 0,
    expires: 14,
    more: { configurations: [{ type: 'REJECTION', enabled: false }], notifications: [] },
  },
  {
    title: 'Styrelseprotokoll 2026-03',
    parties: [
      personV1('åsa', 'EID_SE'),
      personV1('björn', 'EID_SE'),
      personV1('märta', 'EID_SE'),
      personV1('nils', 'EID_SE', signsSecond),
    ],
    end: 'partly',
    age: 2,
    expires: 9,
    tags: { styrelse: 'ja' },
    more: accessGrant('read', { actorType: 'account', actorId: 'account' }),
  },
  {
    title: 'Offert nr 117',
    parties: [personV1('yrjö', 'CLICK')],
    end: 'sent',
    age: 1,
    more: accessGrant('read', { actorType: 'group', actorId: salesGroup.id }),
  },
];

const archivedStories: readonly Story[] = [
  {
    title: 'Hyresavtal lokal Storgatan 12',
    parties: [personV1('björn', 'EID_SE'), ourCompany(signsSecond)],
    end: 'closed',
    age: 40,
  },
  {
    title: 'Hyresavtal lokal Storgatan 12',
    parties: [personV1('märta', 'EID_SE'), ourCompany(signsSecond)],
    end: 'closed',
    age: 33,
  },
  {
    title: 'Hyresavtal lokal Storgatan 14',
    parties: [personV1('nils', 'TBS'), ourCompany(signsSecond)],
    end: 'closed',
    age: 21,
  },
  {
    title: 'Geheimhaltungsvereinbarung Größe & Maß',
    parties: [personV1('käthe', 'QES')],
    end: 'closed',
    age: 30,
  },
  {
    title: 'Supply agreement Thompson & Sons',
    parties: [personV1('oliver', 'CLICK')],
    end: 'closed',
    age: 28,
  },
  {
    title: 'Driftavtal Hämeentie 3',
    parties: [personV1('yrjö', 'CLICK'), ourCompany()],
    end: 'closed',
    age: 26,
  },
  {
    title: 'Projektavtal Måne',
    parties: [personV1('åsa', 'DRAW')],
    end: 'closed',
    age: 24,
    tags: { projekt: 'Måne' },
  },
  { title: LONG_TITLE, parties: [personV1('begoña', 'CLICK')], end: 'closed', age: 22 },
  {
    title: 'Umowa o świadczenie usług – Kraków',
    parties: [personV1('małgorzata', 'SMS_OTP'), ourCompany(signsSecond)],
    end: 'closed',
    age: 18,
  },
  {
    title: 'Uppsägning av hyresavtal, Nils-Håkan Ångström',
    files: ['Uppsägning.pdf', '+Bekräftelse.txt'],
    parties: [personV1('nils', 'EID_SE')],
    end: 'closed',
    age: 15,
    deletes: 9,
  },
  {
    title: 'Vuokrasopimus Mannerheimintie 44',
    parties: [personV1('päivi', 'EID_FI'), ourCompany(signsSecond)],
    end: 'closed',
    age: 60,
    deletes: 3,
  },
  {
    title: 'Avenant au contrat de travail',
    parties: [personV1('hélène', 'QES'), ourCompany(signsSecond)],
    end: 'closed',
    age: 12,
    deletes: 13,
  },
  {
    title: 'Köpekontrakt 1998',
    parties: [personV1('björn', 'CLICK')],
    end: 'imported',
    age: 90,
    tags: { källa: 'pärm 4' },
  },
];

const finishedStories: readonly Story[] = [
  {
    title: 'Förslag till samarbete',
    parties: [personV1('märta', 'EID_SE'), ourCompany(signsSecond)],
    end: 'rejected',
    age: 14,
  },
  {
    title: 'Mietvertrag Düsseldorf',
    parties: [personV1('günther', 'CLICK')],
    end: 'rejected',
    age: 20,
  },
  {
    title: 'Tilbud – Sørlandet',
    parties: [personV1('kjersti', 'EID_NO')],
    end: 'revoked',
    age: 16,
  },
  {
    title: 'Fel version, skickad av misstag',
    parties: [personV1('åsa', 'EID_SE'), personV1('björn', 'EID_SE')],
    end: 'revoked',
    age: 11,
    deletes: 11,
  },
  {
    title: 'Tidsbegränsat erbjudande',
    parties: [personV1('nils', 'EID_SE')],
    end: 'expired',
    age: 45,
    expires: -5,
  },
  {
    title: 'Oferta limitada',
    parties: [personV1('josé', 'CLICK'), personV1('begoña', 'CLICK')],
    end: 'expired',
    age: 30,
    expires: -2,
  },
  { title: 'Utkast: sekretessavtal', parties: [personV1('yrjö')], end: 'draft', age: 2 },
  {
    title: 'Klart att skicka: uppdragsavtal',
    parties: [personV1('søren', 'EID_DK'), ourCompany(signsSecond)],
    end: 'ready-to-send',
    age: 1,
  },
];

const readOnlyAccess = accessGrant('read', { actorType: 'user', actorId: user.id });
const deletableAccess = {
  accessRights: [
    ...readOnlyAccess.accessRights,
    ...accessGrant('delete', { actorType: 'group', actorId: salesGroup.id }).accessRights,
  ],
};

const colleagueStories: readonly Story[] = [
  {
    title: 'Bergs avtal, delat för läsning',
    parties: [personV1('daniël', 'CLICK')],
    end: 'sent',
    age: 6,
    expires: 24,
    owner: colleague.id,
    more: readOnlyAccess,
  },
  {
    title: 'Bergs avtal, delat med säljarna',
    parties: [personV1('käthe', 'CLICK')],
    end: 'closed',
    age: 17,
    owner: colleague.id,
    more: deletableAccess,
  },
  {
    title: 'Bergs avtal, bara för Berg',
    parties: [personV1('oliver', 'CLICK')],
    end: 'sent',
    age: 8,
    owner: colleague.id,
  },
];

/** The v1 agreements of the story: every state, every locale, every kind of party. */
export const stories: readonly Story[] = [
  ...storiesWaitingForUs,
  ...storiesInProgress,
  ...archivedStories,
  ...finishedStories,
  ...colleagueStories,
];
