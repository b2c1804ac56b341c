import * as z from 'zod';

/* Optional parts of API v1 replies. Everything except identifying fields may be missing. */

const OptionalText = z.string().nullish();
const OptionalTexts = z.record(z.string(), z.string().nullish()).nullish();

export const NotificationReply = z.looseObject({
  id: OptionalText,
  type: z.string(),
  templateId: OptionalText,
  locale: OptionalText,
  timeZone: OptionalText,
  placeholders: OptionalTexts,
  attachPdf: z.boolean().nullish(),
  sendOn: OptionalText,
  recipients: z.array(z.looseObject({ medium: z.string(), address: z.string() })).nullish(),
});
export type NotificationReplyV1 = z.infer<typeof NotificationReply>;

const MethodReply = z.looseObject({
  id: OptionalText,
  type: z.string(),
  country: OptionalText,
  provider: OptionalText,
  identifier: OptionalText,
  tbs: z.looseObject({ sender: OptionalText, description: OptionalText }).nullish(),
});
export type MethodReplyV1 = z.infer<typeof MethodReply>;

const PartyReply = z.looseObject({
  id: z.string(),
  personNumber: OptionalText,
  notifications: z.array(NotificationReply).nullish(),
  signingConfigurations: z.array(MethodReply).nullish(),
  identificationConfigurations: z
    .array(z.looseObject({ type: z.string(), country: OptionalText, identifier: OptionalText }))
    .nullish(),
  signingResult: z
    .looseObject({ signingConfiguration: z.looseObject({ type: OptionalText }).nullish() })
    .nullish(),
});
export type PartyExtrasReplyV1 = z.infer<typeof PartyReply>;

/**
 * Owner of an agreement. The API lists `owner` as includable, but does not document its content.
 */
export const OwnerReply = z.looseObject({
  id: OptionalText,
  name: OptionalText,
  firstName: OptionalText,
  lastName: OptionalText,
  email: OptionalText,
});
export type OwnerReplyV1 = z.infer<typeof OwnerReply>;

export const AccessRightReply = z.looseObject({
  type: z.string(),
  actorType: OptionalText,
  actorId: OptionalText,
  actorName: OptionalText,
  description: OptionalText,
  action: z.string(),
});

export const ExtrasReply = z.looseObject({
  id: z.string(),
  sharedWith: OptionalText,
  owner: OwnerReply.nullish(),
  accessRights: z.array(AccessRightReply).nullish(),
  links: z.array(z.looseObject({ type: z.string(), href: z.string() })).nullish(),
  notifications: z.array(NotificationReply).nullish(),
  attachments: z
    .array(
      z.looseObject({
        id: OptionalText,
        name: OptionalText,
        fields: z.array(z.looseObject({ name: z.string(), value: OptionalText })).nullish(),
      }),
    )
    .nullish(),
  parties: z.array(PartyReply).nullish(),
});
export type ExtrasReplyV1 = z.infer<typeof ExtrasReply>;
