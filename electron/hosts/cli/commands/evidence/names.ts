import { AgreementId, type AgreementKey } from '../../../../../shared/model/ids.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { agreementNamed } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';

/**
 * Returns the agreement that `ID` or `CONNECTION:ID` names in the evidence. The evidence contains
 * an agreement even after the agreement or its connection was deleted.
 * @throws AppError 'not-found', or 'invalid' if the ID occurs with two connections.
 */
export async function agreementInEvidence(session: Session, text: string): Promise<AgreementKey> {
  // A connection's name may contain colons, an ID never does.
  const colon = text.lastIndexOf(':');
  const wanted = text.slice(0, Math.max(colon, 0)).toLowerCase();
  const id = AgreementId.safeParse(text.slice(colon + 1));
  if (!id.success) return agreementNamed(session, text);
  const known = await session.api['evidence.find']({ id: id.data });
  const meant = known.filter(
    ({ connection }) => wanted === '' || connection.toLowerCase() === wanted,
  );
  const [only] = meant;
  if (only === undefined) return agreementNamed(session, text);
  if (meant.length === 1) return { connectionId: only.connectionId, id: only.id };
  const choices = meant.map(({ connection }) => `${connection}:${only.id}`).join(', ');
  throw new AppError('invalid', `Several connections had this ID; write one of ${choices}`);
}
