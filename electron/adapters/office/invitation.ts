import { armor, Decrypter, Encrypter } from 'age-encryption';
import * as z from 'zod';
import { OfficeMembership } from '../../../shared/contract/office/office.ts';
import { AppError } from '../../../shared/errors.ts';
import { newPhrase, readPhrase } from '../system/phrase.ts';
import { SeatSecret } from './keyring.ts';

const INVITATION_FORMAT_VERSION = 1;
/** Base-2 logarithm of scrypt's N: twelve random words need no extra cost. */
const INVITATION_WORK_FACTOR = 14;

const Invitation = z.object({
  format: z.literal(INVITATION_FORMAT_VERSION),
  kind: z.literal('signing-desk-office'),
  membership: OfficeMembership.omit({ desk: true }),
  secret: SeatSecret,
});
type InvitationContent = Pick<z.infer<typeof Invitation>, 'membership' | 'secret'>;

/** Encrypts the invitation with a new phrase, as a text that can be emailed. */
export async function sealInvitation(
  content: InvitationContent,
): Promise<{ readonly invitation: string; readonly phrase: string }> {
  const phrase = newPhrase();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(phrase);
  encrypter.setScryptWorkFactor(INVITATION_WORK_FACTOR);
  const whole: z.infer<typeof Invitation> = {
    format: INVITATION_FORMAT_VERSION,
    kind: 'signing-desk-office',
    ...content,
  };
  return { invitation: armor.encode(await encrypter.encrypt(JSON.stringify(whole))), phrase };
}

/**
 * Opens an invitation. Throws 'invalid' with 'phrase-wrong', 'phrase-other' or 'not-an-invitation'.
 */
export async function openInvitation(text: string, words: string): Promise<InvitationContent> {
  const phrase = readPhrase(words);
  const sealed = decodeArmor(text);
  const decrypter = new Decrypter();
  decrypter.addPassphrase(phrase);
  let plain: string;
  try {
    plain = await decrypter.decrypt(sealed, 'text');
  } catch (cause) {
    const message = 'The invitation does not open with these words, or the file is damaged';
    throw new AppError('invalid', message, {
      reason: 'phrase-other',
      fields: { phrase: 'Does not open this invitation' },
      cause,
    });
  }
  const found = Invitation.safeParse(parseInvitation(plain));
  if (!found.success) throw notAnInvitationError();
  return found.data;
}

function decodeArmor(text: string): Uint8Array {
  try {
    return armor.decode(text.trim());
  } catch (cause) {
    throw notAnInvitationError(cause);
  }
}

function parseInvitation(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function notAnInvitationError(cause?: unknown): AppError {
  return new AppError('invalid', 'This file is incomplete, or is not an office invitation', {
    reason: 'not-an-invitation',
    fields: { file: 'Not an invitation' },
    cause,
  });
}
