import {
  attached,
  type Cases,
  fileV2,
  message,
  personV2,
  reminder,
  template,
  TOKEN,
  v2,
  webhook,
} from './bodies.ts';
import { partyCasesV2 } from './cases-v2-parties.ts';

const LONG = 'å'.repeat(30_000);
const recipient = (change: object) =>
  message({ additionalRecipients: [{ email: 'bo@example.com', ...change }] });
const drawn = (signatureMessage: string) => v2({ drawSignature: true, signatureMessage });
const field = (name: string, value: unknown) =>
  template({ templateId: '70001', fields: [{ name, value }] });
const files = (...attachments: object[]) => v2(attached({ attachments }));

const noticeCases: Cases = {
  notificationMessages: {
    accepted: v2({ notificationMessages: null }),
    refused: v2({ notificationMessages: {} }),
  },
  'notificationMessages[].type': { accepted: message({}), refused: message({ type: 'POSTED' }) },
  'notificationMessages[].additionalText': {
    accepted: message({ additionalText: LONG }),
    refused: message({ additionalText: `${LONG}å` }),
  },
  'notificationMessages[].additionalRecipients': {
    accepted: recipient({}),
    refused: message({ additionalRecipients: 'bo@example.com' }),
  },
  'notificationMessages[].additionalRecipients[].firstName': {
    accepted: recipient({ firstName: 'Bo' }),
    refused: recipient({ firstName: 5 }),
  },
  'notificationMessages[].additionalRecipients[].lastName': {
    accepted: recipient({ lastName: 'Ek' }),
    refused: recipient({ lastName: 5 }),
  },
  'notificationMessages[].additionalRecipients[].email': {
    accepted: recipient({}),
    refused: recipient({ email: undefined }),
  },
  reminders: { accepted: reminder({}), refused: v2({ reminders: {} }) },
  'reminders[].date': { accepted: reminder({}), refused: reminder({ date: '2026-05-19' }) },
  'reminders[].emails': { accepted: reminder({}), refused: reminder({ emails: [] }) },
  'reminders[].message': {
    accepted: reminder({ message: LONG }),
    refused: reminder({ message: `${LONG}å` }),
  },
  webhook: { accepted: webhook({}), refused: v2({ webhook: 'https://example.com' }) },
  'webhook.events': { accepted: webhook({}), refused: webhook({ events: [] }) },
  'webhook.url': { accepted: webhook({}), refused: webhook({ url: 'ftp://example.com' }) },
};

const contentCases: Cases = {
  text: { accepted: v2({ text: LONG }), refused: v2({ text: `${LONG}å` }) },
  dynamicPdf: {
    accepted: template({ templateId: '70001', fields: [] }),
    refused: template(undefined),
  },
  'dynamicPdf.templateId': {
    accepted: template({ templateId: '70002', fields: [] }),
    refused: template({ templateId: '', fields: [] }),
  },
  'dynamicPdf.fields': {
    accepted: field('tenant', 'Åsa'),
    refused: template({ templateId: '70001', fields: { tenant: 'Åsa' } }),
  },
  'dynamicPdf.fields[].name': { accepted: field('tenant', 'Åsa'), refused: field('', 'Åsa') },
  'dynamicPdf.fields[].value': { accepted: field('parking', true), refused: field('parking', 1) },
  attachments: { accepted: files(fileV2), refused: files() },
  'attachments[].name': { accepted: files(fileV2), refused: files({ ...fileV2, name: ' ' }) },
  'attachments[].data': { accepted: files(fileV2), refused: files({ name: 'avtal.pdf' }) },
  'attachments[].token': {
    accepted: files({ token: TOKEN }),
    refused: files({ ...fileV2, token: TOKEN }),
  },
};

/** Test cases for every field of API v2's create body. */
export const casesV2: Cases = {
  name: { accepted: v2({ name: 'Avtal' }), refused: v2({ name: ' ' }) },
  type: { accepted: v2({}), refused: v2({ type: 'LETTER' }) },
  expireIn: { accepted: v2({ expireIn: 0 }), refused: v2({ expireIn: 100 }) },
  drawSignature: { accepted: v2({ drawSignature: true }), refused: v2({ drawSignature: 'true' }) },
  hideUnsigned: { accepted: v2({ hideUnsigned: false }), refused: v2({ hideUnsigned: 1 }) },
  signatureMessage: { accepted: drawn('å'.repeat(120)), refused: drawn('å'.repeat(121)) },
  additionalTBS: { accepted: v2({ additionalTBS: {} }), refused: v2({ additionalTBS: 'Berg' }) },
  'additionalTBS.senderInfo': {
    accepted: v2({ additionalTBS: { senderInfo: 'Berg AB' } }),
    refused: v2({ additionalTBS: { senderInfo: 5 } }),
  },
  'additionalTBS.description': {
    accepted: v2({ additionalTBS: { description: 'Hyra' } }),
    refused: v2({ additionalTBS: { description: ' ' } }),
  },
  allowEmailSigning: {
    accepted: v2({ allowEmailSigning: true }),
    refused: v2({ allowEmailSigning: 'yes' }),
  },
  parties: {
    accepted: v2({ parties: { privates: [personV2], companies: [] } }),
    refused: v2({ parties: { privates: [], companies: [] } }),
  },
  ...noticeCases,
  ...contentCases,
  ...partyCasesV2('privates'),
  ...partyCasesV2('companies'),
};
