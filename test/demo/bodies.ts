import { plainPdf } from '../../electron/demo/pdf/pdf.ts';
import { base64, textAt, listAt, type Client } from './support.ts';

export const pdf = (await plainPdf('Avtal', ['En rad.'])).toString('base64');

/** The smallest v1 agreement with one person who clicks. */
export const agreement = {
  title: 'Hyresavtal Łódź',
  attachments: [{ type: 'BASE64', name: 'avtal.pdf', data: pdf, category: 'AGREEMENT' }],
  parties: [
    {
      type: 'PRIVATE',
      firstName: 'Åsa',
      lastName: 'Öberg',
      email: 'asa@example.com',
      signingConfigurations: [{ type: 'CLICK' }],
    },
  ],
};

export const person = agreement.parties[0];
export const us = { type: 'MY_COMPANY', signingConfigurations: [{ type: 'API' }] };

/** The smallest v2 agreement: a text that one person signs. */
export const legacy = {
  name: 'Avtal om förråd',
  type: 'FREE_TEXT',
  text: 'Härmed avtalas.',
  parties: {
    privates: [
      {
        personNo: '19850709-9805',
        firstName: 'Åsa',
        lastName: 'Öberg',
        email: 'asa@example.com',
      },
    ],
    companies: [],
  },
};

export const ourParty = {
  orgNo: '559999-0008',
  firstName: 'Karin',
  lastName: 'Lindqvist',
  email: 'karin@example.com',
};

export const file = { name: 'avtal.pdf', data: pdf };
export const notPdf = base64('hello');

/** Creates a v1 agreement and returns its ID. */
export async function create(client: Client, body: unknown = agreement): Promise<string> {
  const reply = await client.v1('POST', '/v1/agreements', { body });
  if (reply.status !== 200) throw new Error(reply.text);
  return textAt(reply.json, 'data', 'id');
}

/** Creates a v2 agreement and returns its reference number. */
export async function createLegacy(client: Client, body: unknown = legacy): Promise<string> {
  const reply = await client.v2('POST', '/agreements', { body });
  if (reply.status !== 200) throw new Error(reply.text);
  return textAt(reply.json, 'referenceNumber');
}

/** Returns all v1 data of one agreement, and its ETag. */
export async function fetchWhole(client: Client, id: string) {
  const include = [
    'attachments,attachments.fields,parties,notifications,accessRights,links,tags,owner',
    'parties.notifications,parties.links,parties.signingConfigurations,parties.signingResult',
    'parties.rejectionResult,parties.identificationConfigurations',
    'parties.signingConfigurations.tbs,owner.links',
  ].join(',');
  const reply = await client.v1('GET', `/v1/agreements/${id}?include=${include}`);
  const data: unknown = reply.status === 200 ? Reflect.get(Object(reply.json), 'data') : null;
  return { ...reply, data, etag: reply.headers.get('etag') ?? '' };
}

/**
 * Returns the path of the n-th party of an agreement, and that of the party's first way to sign.
 */
export async function partyPath(client: Client, id: string, n = 0) {
  const { data } = await fetchWhole(client, id);
  const party = listAt(data, 'parties')[n];
  const path = `/v1/agreements/${id}/parties/${textAt(party, 'id')}`;
  const configuration = textAt(party, 'signingConfigurations', 0, 'id');
  return { path, sign: `${path}/sign/${configuration}`, party };
}
