import * as z from 'zod';

/* Optional parts of API v1 replies. Everything except identifying fields may be missing. */

const Text = z.string().nullish();
const Texts = z.record(z.string(), z.string().nullish()).nullish();

export const NotificationReply = z.looseObject({
  id: Text,
  type: z.string(),
  templateId: Text,
  locale: Text,
  timeZone: Text,
  placeholders: Texts,
  attachPdf: z.boolean().nullish(),
  sendOn: Text,
  recipients: z.array(z.looseObject({ medium: z.string(), address: z.string() })).nullish(),
});
export type NotificationReplyV1 = z.infer<typeof NotificationReply>;

const MethodReply = z.looseObject({
  id: Text,
  type: z.string(),
  country: Text,
  provider: Text,
  identifier: Text,
  tbs: z.looseObject({ sender: Text, description: Text }).nullish(),
});
export type MethodReplyV1 = z.infer<typeof MethodReply>;

const PartyReply = z.looseObject({
  id: z.string(),
  personNumber: Text,
  notifications: z.array(NotificationReply).nullish(),
  signingConfigurations: z.array(MethodReply).nullish(),
  identificationConfigurations: z
    .array(z.looseObject({ type: z.string(), country: Text, identifier: Text }))
    .nullish(),
  signingResult: z
    .looseObject({ signingConfiguration: z.looseObject({ type: Text }).nullish() })
    .nullish(),
});
export type PartyExtrasReplyV1 = z.infer<typeof PartyReply>;

/**
 * Owner of an agreement. The API lists `owner` as includable, but does not document its content.
 */
export const OwnerReply = z.looseObject({
  id: Text,
  name: Text,
  firstName: Text,
  lastName: Text,
  email: Text,
});
export type OwnerReplyV1 = z.infer<typeof OwnerReply>;

export const AccessRightReply = z.looseObject({
  type: z.string(),
  actorType: Text,
  actorId: Text,
  actorName: Text,
  description: Text,
  action: z.string(),
});

export const ExtrasReply = z.looseObject({
  id: z.string(),
  sharedWith: Text,
  owner: OwnerReply.nullish(),
  accessRights: z.array(AccessRightReply).nullish(),
  links: z.array(z.looseObject({ type: z.string(), href: z.string() })).nullish(),
  notifications: z.array(NotificationReply).nullish(),
  attachments: z
    .array(
      z.looseObject({
        id: Text,
        name: Text,
        fields: z.array(z.looseObject({ name: z.string(), value: Text })).nullish(),
      }),
    )
    .nullish(),
  parties: z.array(PartyReply).nullish(),
});
export type ExtrasReplyV1 = z.infer<typeof ExtrasReply>;
