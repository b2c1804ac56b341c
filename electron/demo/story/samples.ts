import type { TemplateContent } from '../../../shared/model/template.ts';
import { parkingFields, parkingForm } from '../pdf/parking-form.ts';
import { company } from '../state/account.ts';
import { people, type Name } from './people.ts';

/** Returns a template for the lease of a parking space, and a batch with its tenants. */
export async function samples() {
  return {
    template: {
      name: 'Hyresavtal bilplats',
      api: 'v1',
      fileName: 'Hyresavtal bilplats.pdf',
      pdf: await parkingForm(company.name),
      content: sampleTemplateContent,
    },
    batch: {
      name: 'Bilplatser Storgatan 12',
      fileName: 'bilplatser-storgatan.csv',
      sheet: new TextEncoder().encode(createSampleSheet()),
    },
  } as const;
}

const TENANT_ROLE = 'tenant';
const tenantSource = (datum: 'full-name' | 'email') =>
  ({ from: 'party', role: TENANT_ROLE, datum }) as const;
const answerSource = (question: string) => ({ from: 'question', question }) as const;
const question = (id: string, label: string, kind: 'text' | 'day' | 'yes-no') => ({
  id,
  label,
  help: '',
  kind,
  options: [],
  required: kind !== 'yes-no',
});

const sampleTemplateContent: TemplateContent = {
  body: {
    api: 'v1',
    title: 'Hyresavtal bilplats {Bilplats}',
    expireDays: 30,
    deleteDays: null,
    roles: [
      {
        id: TENANT_ROLE,
        name: 'Hyresgäst',
        party: { type: 'PRIVATE', signingOrder: 1, signingConfigurations: [{ type: 'CLICK' }] },
      },
      {
        id: 'landlord',
        name: 'Hyresvärd',
        party: { type: 'MY_COMPANY', signingOrder: 2, signingConfigurations: [{ type: 'API' }] },
      },
    ],
    rest: {},
  },
  mapping: [
    { field: parkingFields.number, source: { from: 'counter' } },
    { field: parkingFields.tenant, source: tenantSource('full-name') },
    { field: parkingFields.email, source: tenantSource('email') },
    { field: parkingFields.place, source: answerSource('place') },
    { field: parkingFields.rent, source: answerSource('rent') },
    { field: parkingFields.from, source: answerSource('from') },
    { field: parkingFields.charger, source: answerSource('charger') },
  ],
  questions: [
    question('place', 'Bilplats', 'text'),
    question('rent', 'Månadshyra', 'text'),
    question('from', 'Tillträde', 'day'),
    question('charger', 'Laddbox', 'yes-no'),
  ],
  counter: { prefix: 'P-', width: 3 },
  merge: 'service',
};

const SAMPLE_SHEET_HEADERS = [
  'Förnamn',
  'Efternamn',
  'E-post',
  'Bilplats',
  'Månadshyra',
  'Tillträde',
  'Laddbox',
];
const LEASE_START = '2027-01-01';

const sampleTenants: readonly (readonly [
  Name,
  place: string,
  rent: string,
  charger: 'ja' | 'nej',
])[] = [
  ['åsa', 'P1', '650', 'ja'],
  ['björn', 'P2', '650', 'ja'],
  ['märta', 'P3', '450', 'nej'],
  ['nils', 'P4', '450', 'nej'],
  ['päivi', 'P5', '450', 'nej'],
  ['yrjö', 'P6', '650', 'ja'],
  ['kjersti', 'P7', '450', 'nej'],
  ['søren', 'P8', '450', 'nej'],
  ['käthe', 'P9', '650', 'ja'],
  ['hélène', 'P10', '450', 'nej'],
  ['łukasz', 'P11', '450', 'nej'],
  ['siobhan', 'P12', '650', 'ja'],
];

/**
 * Person whose address has a typing error, so that the user has something to correct before sending
 * the batch.
 */
const PERSON_WITH_TYPO: Name = 'søren';

function createSampleSheet(): string {
  const rows = sampleTenants.map(([name, place, rent, charger]) => {
    const { firstName, lastName, email } = people[name];
    const written = name === PERSON_WITH_TYPO ? email.replace('@', '.') : email;
    return [firstName, lastName, written, place, rent, LEASE_START, charger];
  });
  // The file begins with the byte order mark that office programs write, so that its encoding is
  // certain.
  return `\uFEFF${[SAMPLE_SHEET_HEADERS, ...rows].map((row) => row.join(';')).join('\r\n')}\r\n`;
}
