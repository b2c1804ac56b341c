import {
  type Cases,
  file,
  fileV1,
  OTHER_ID,
  personV1,
  setting,
  stamp,
  tokenV1,
  v1,
  value,
} from './bodies.ts';
import { noticeCases } from './cases-notifications.ts';
import { partyCases } from './cases-v1-parties.ts';

const drawing = { parties: [{ ...personV1, signingConfigurations: [{ type: 'DRAW' }] }] };
const tags = (count: number) =>
  v1({ tags: Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, 'x'])) });
const right = (change: object) =>
  v1({
    accessRights: [
      { type: 'GRANT_BY_ID', actorType: 'group', actorId: OTHER_ID, action: 'read', ...change },
    ],
  });
const named = (change: object) =>
  right({ type: 'GRANT_BY_NAME', actorId: undefined, actorName: 'Inköp', ...change });
const link = (change: object) =>
  v1({
    links: [{ type: 'WEBFLOW_SIGNING_SUCCEEDED', href: 'https://example.com/tack', ...change }],
  });
const expiring = { expireOn: stamp(9) };

const settingCases: Cases = {
  configurations: { accepted: setting({ type: 'DEFAULT' }), refused: v1({ configurations: {} }) },
  'configurations[].type': {
    accepted: setting({ type: 'PDF_SEALING', enabled: true }),
    refused: setting({ type: 'COLOUR' }),
  },
  'configurations[].locale': {
    accepted: setting({ type: 'CONTAINER', locale: 'sv_SE' }),
    refused: setting({ type: 'REJECTION', locale: 'sv_SE' }),
  },
  'configurations[].timeZone': {
    accepted: setting({ type: 'DEFAULT', timeZone: 'Europe/Oslo' }),
    refused: setting({ type: 'DEFAULT', timeZone: 'Mars/Olympus' }),
  },
  'configurations[].sendExpiryReminderOn': {
    accepted: setting({ type: 'NOTIFICATION', sendExpiryReminderOn: stamp(8) }, expiring),
    refused: setting({ type: 'NOTIFICATION', sendExpiryReminderOn: stamp(8.001) }, expiring),
  },
  'configurations[].enabled': {
    accepted: setting({ type: 'REJECTION', enabled: false }),
    refused: setting({ type: 'OWNER_DETAILS', enabled: false }),
  },
  'configurations[].visible': {
    accepted: setting({ type: 'REVIEW_DETAILS', visible: false }),
    refused: setting({ type: 'PDF_SEALING', visible: false }),
  },
  'configurations[].x': {
    accepted: setting({ type: 'WATERMARK', x: 1.5 }),
    refused: setting({ type: 'WATERMARK', x: '1.5' }),
  },
  'configurations[].y': {
    accepted: setting({ type: 'WATERMARK', y: 0 }),
    refused: setting({ type: 'CONTAINER', y: 0 }),
  },
  'configurations[].rotation': {
    accepted: setting({ type: 'WATERMARK', rotation: -45 }),
    refused: setting({ type: 'WATERMARK', rotation: '45°' }),
  },
  'configurations[].companyName': {
    accepted: setting({ type: 'OWNER_DETAILS', companyName: 'Berg & Lindqvist' }),
    refused: setting({ type: 'DEFAULT', companyName: 'Berg & Lindqvist' }),
  },
  'configurations[].companyShortName': {
    accepted: setting({ type: 'OWNER_DETAILS', companyShortName: 'å'.repeat(11) }),
    refused: setting({ type: 'OWNER_DETAILS', companyShortName: 'å'.repeat(12) }),
  },
};

const attachmentCases: Cases = {
  attachments: { accepted: v1({ attachments: [fileV1] }), refused: v1({ attachments: [] }) },
  'attachments[].type': { accepted: file({}), refused: file({ type: 'FILE' }) },
  'attachments[].name': { accepted: file({ name: 'Å.pdf' }), refused: file({ name: ' ' }) },
  'attachments[].title': { accepted: file({ title: 'Bilaga' }), refused: file({ title: 5 }) },
  'attachments[].data': { accepted: file({}), refused: file({ data: undefined }) },
  'attachments[].token': {
    accepted: v1({ attachments: [tokenV1] }),
    refused: v1({ attachments: [{ ...tokenV1, token: undefined }] }),
  },
  'attachments[].lastModifiedOn': {
    accepted: file({ lastModifiedOn: stamp(-9) }),
    refused: file({ lastModifiedOn: '2026-05-01' }),
  },
  'attachments[].fields': {
    accepted: value('tenant', 'Åsa'),
    refused: v1({ attachments: [{ ...tokenV1, fields: [{ name: 'tenant', value: 'Åsa' }] }] }),
  },
  'attachments[].fields[].name': {
    accepted: value('sign.here', ''),
    refused: value('Sign.here', ''),
  },
  'attachments[].fields[].value': {
    accepted: value('sign.here', '{{@agr.parties[0].signature}}', drawing),
    refused: value('sign.here', '{{@agr.parties[1].signature}}', drawing),
  },
  'attachments[].category': {
    accepted: v1({ attachments: [fileV1, { ...fileV1, category: 'REF_DOC' }] }),
    refused: file({ category: 'REF_DOC' }),
  },
};

const sharingCases: Cases = {
  accessRights: { accepted: right({}), refused: v1({ accessRights: {} }) },
  'accessRights[].type': { accepted: named({}), refused: right({ type: 'GRANT' }) },
  'accessRights[].actorType': {
    accepted: right({ actorType: 'account' }),
    refused: named({ actorType: 'account' }),
  },
  'accessRights[].actorId': { accepted: right({}), refused: right({ actorId: undefined }) },
  'accessRights[].actorName': { accepted: named({}), refused: named({ actorName: ' ' }) },
  'accessRights[].description': {
    accepted: named({ description: 'Alla som köper' }),
    refused: named({ description: 5 }),
  },
  'accessRights[].action': { accepted: right({}), refused: right({ action: 'WRITE' }) },
  links: { accepted: link({}), refused: v1({ links: {} }) },
  'links[].type': { accepted: link({}), refused: link({ type: 'WEBFLOW_SIGNING' }) },
  'links[].href': { accepted: link({}), refused: link({ href: 'javascript:alert(1)' }) },
  tags: { accepted: tags(99), refused: tags(101) },
};

/** Test cases for every field of API v1's create body. */
export const casesV1: Cases = {
  title: { accepted: v1({ title: 'Avtal' }), refused: v1({ title: ' ' }) },
  expireOn: {
    accepted: v1({ expireOn: stamp(1), deleteOn: stamp(2) }),
    refused: v1({ expireOn: stamp(2), deleteOn: stamp(2) }),
  },
  deleteOn: { accepted: v1({ deleteOn: stamp(1) }), refused: v1({ deleteOn: stamp(0) }) },
  ...settingCases,
  ...attachmentCases,
  ...partyCases,
  ...noticeCases('notifications', 'agreement', (notifications) => v1({ notifications })),
  ...sharingCases,
};
