import * as z from 'zod';

/*
 * Request body for creating an agreement with API v1. Draft bodies use the same shapes, so every
 * text may be empty and every optional key may be absent; the rules check the service's
 * requirements. Omitted, null and empty differ in the request: no default is added in these
 * schemas.
 */

const Text = z.string();

/** Languages of notifications (API v1, "Conventions"). */
export const localesV1 = [
  'en_US',
  'da_DK',
  'nl_NL',
  'fi_FI',
  'fr_FR',
  'de_DE',
  'it_IT',
  'nb_NO',
  'pl_PL',
  'es_ES',
  'sv_SE',
] as const;

export const ConfigurationV1 = z.object({
  type: z.enum([
    'DEFAULT',
    'NOTIFICATION',
    'CONTAINER',
    'REVIEW_DETAILS',
    'WATERMARK',
    'OWNER_DETAILS',
    'PDF_SEALING',
    'REJECTION',
  ]),
  locale: Text.optional(),
  timeZone: Text.optional(),
  sendExpiryReminderOn: Text.optional(),
  enabled: z.boolean().optional(),
  visible: z.boolean().optional(),
  x: z.number().optional(),
  y: z.number().optional(),
  rotation: z.number().optional(),
  companyName: Text.optional(),
  companyShortName: Text.optional(),
});

export type ConfigurationV1 = z.infer<typeof ConfigurationV1>;

export const PartyConfigurationV1 = z.object({
  type: z.literal('NOTIFICATION'),
  locale: Text.optional(),
  timeZone: Text.optional(),
  sendExpiryReminderOn: Text.optional(),
});

const FieldV1 = z.object({ name: Text, value: Text });

export const AttachmentV1 = z.object({
  type: z.enum(['BASE64', 'TOKEN']),
  name: Text.optional(),
  title: Text.optional(),
  data: Text.optional(),
  token: Text.optional(),
  lastModifiedOn: Text.optional(),
  fields: z.array(FieldV1).optional(),
  category: z.enum(['AGREEMENT', 'REF_DOC']).optional(),
});

export const SigningMethodV1 = z.enum(['EID', 'QES', 'SMS_OTP', 'CLICK', 'DRAW', 'API']);
export type SigningMethodV1 = z.infer<typeof SigningMethodV1>;

export const SigningConfigurationV1 = z.object({
  type: SigningMethodV1,
  country: Text.optional(),
  provider: Text.optional(),
  identifier: Text.optional(),
  actionType: Text.optional(),
  tbs: z.object({ sender: Text.optional(), description: Text.optional() }).optional(),
});
export type SigningConfigurationV1 = z.infer<typeof SigningConfigurationV1>;

export const IdentificationConfigurationV1 = z.object({
  type: z.enum(['SMS_OTP', 'EID']),
  country: Text.optional(),
  identifier: Text.optional(),
});

const RecipientV1 = z.object({
  medium: z.enum(['EMAIL', 'SMS', 'WEBHOOK']),
  address: Text,
});

export const NotificationV1 = z.object({
  type: z.enum([
    'READY_TO_SIGN',
    'SIGNED',
    'SIGNED_BY_ALL',
    'REJECTED',
    'REVOKED',
    'EXPIRY_REMINDER',
    'EXPIRED',
    'VIEWED',
  ]),
  templateId: Text.optional(),
  locale: Text.optional(),
  timeZone: Text.optional(),
  placeholders: z.record(z.string(), z.string()).optional(),
  attachPdf: z.boolean().nullable().optional(),
  recipients: z.array(RecipientV1).optional(),
});

const PartyTypeV1 = z.enum(['PRIVATE', 'COMPANY', 'MY_COMPANY']);

export const PartyV1 = z.object({
  type: PartyTypeV1,
  firstName: Text.optional(),
  lastName: Text.optional(),
  name: Text.optional(),
  email: Text.optional(),
  mobile: Text.optional(),
  country: Text.optional(),
  personNumber: Text.optional(),
  companyNumber: Text.optional(),
  signingOrder: z.number().optional(),
  configurations: z.array(PartyConfigurationV1).optional(),
  signingConfigurations: z.array(SigningConfigurationV1),
  identificationConfigurations: z.array(IdentificationConfigurationV1).optional(),
  notifications: z.array(NotificationV1).optional(),
});
export type PartyV1 = z.infer<typeof PartyV1>;

export const AccessRightV1 = z.object({
  type: z.enum(['GRANT_BY_ID', 'GRANT_BY_NAME']),
  actorType: z.enum(['user', 'group', 'account']),
  actorId: Text.optional(),
  actorName: Text.optional(),
  description: Text.optional(),
  action: z.enum(['read', 'update', 'delete']),
});

export const LinkV1 = z.object({
  type: z.enum(['WEBFLOW_SIGNING_SUCCEEDED', 'WEBFLOW_SIGNING_REJECTED', 'WEBFLOW_SIGNING_FAILED']),
  href: Text,
});

/** Body of a create request (API v1, "Agreement (request body of create)"). */
export const CreateBodyV1 = z.object({
  title: Text,
  expireOn: Text.optional(),
  deleteOn: Text.optional(),
  configurations: z.array(ConfigurationV1).optional(),
  attachments: z.array(AttachmentV1),
  parties: z.array(PartyV1),
  notifications: z.array(NotificationV1).optional(),
  accessRights: z.array(AccessRightV1).optional(),
  links: z.array(LinkV1).optional(),
  tags: z.record(z.string(), z.string()).optional(),
});
export type CreateBodyV1 = z.infer<typeof CreateBodyV1>;
