import * as z from 'zod';

/*
 * Request body for creating an agreement with API v2. As in the model of v1, a draft may be
 * incomplete, and omitted, null and empty differ in the request.
 */

const Text = z.string();

export const SigningMethodV2 = z.enum(['EID', 'SMS_OTP', 'EMAIL_OTP', 'EMAIL']);
export type SigningMethodV2 = z.infer<typeof SigningMethodV2>;

const SignMetadataV2 = z.object({
  attachmentIndex: z.number(),
  signatureFields: z.array(Text),
});

const contact = {
  firstName: Text.optional(),
  lastName: Text.optional(),
  email: Text.optional(),
  mobile: Text.optional(),
  signMethods: z.array(SigningMethodV2).optional(),
  signingOrder: z.number().optional(),
  signMetadata: z.array(SignMetadataV2).optional(),
};

export const PrivatePartyV2 = z.object({ personNo: Text.optional(), ...contact });
export type PrivatePartyV2 = z.infer<typeof PrivatePartyV2>;

const AllowedPersonV2 = z.object({
  personNo: Text.optional(),
  firstName: Text.optional(),
  lastName: Text.optional(),
  email: Text.optional(),
});

export const CompanyPartyV2 = z.object({
  orgNo: Text.optional(),
  ...contact,
  allowedPersons: z.array(AllowedPersonV2).optional(),
});
export type CompanyPartyV2 = z.infer<typeof CompanyPartyV2>;

export const AttachmentV2 = z.object({
  name: Text.optional(),
  data: Text.optional(),
  token: Text.optional(),
});

const NotificationMessageV2 = z.object({
  type: z.enum([
    'posted',
    'rejected',
    'autoRejectionReminder',
    'autoRejection',
    'signed',
    'closed',
  ]),
  additionalText: Text.optional(),
  additionalRecipients: z
    .array(z.object({ firstName: Text.optional(), lastName: Text.optional(), email: Text }))
    .optional(),
});

/** Body of a create request (API v2, "Agreement request (create)"). */
export const CreateBodyV2 = z.object({
  name: Text,
  type: z.enum(['FREE_TEXT', 'ATTACHED', 'DYNAMIC_PDF']),
  expireIn: z.number().optional(),
  drawSignature: z.boolean().optional(),
  hideUnsigned: z.boolean().optional(),
  signatureMessage: Text.optional(),
  additionalTBS: z.object({ senderInfo: Text.optional(), description: Text.optional() }).optional(),
  notificationMessages: z.array(NotificationMessageV2).nullable().optional(),
  allowEmailSigning: z.boolean().optional(),
  reminders: z
    .array(z.object({ date: Text, emails: z.array(Text), message: Text.optional() }))
    .optional(),
  parties: z.object({ privates: z.array(PrivatePartyV2), companies: z.array(CompanyPartyV2) }),
  text: Text.optional(),
  dynamicPdf: z
    .object({
      templateId: Text,
      fields: z.array(z.object({ name: Text, value: z.union([Text, z.boolean()]) })),
    })
    .optional(),
  attachments: z.array(AttachmentV2).optional(),
  webhook: z
    .object({
      events: z.array(z.enum(['POSTED', 'SIGNED', 'SIGNED_BY_ALL', 'REJECTED'])),
      url: Text,
    })
    .optional(),
});
export type CreateBodyV2 = z.infer<typeof CreateBodyV2>;
