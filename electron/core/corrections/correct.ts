import type { Notice } from '../../../shared/contract/actions.ts';
import type { Correction, CorrectionsResult } from '../../../shared/contract/corrections.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import type { RemindPorts } from '../actions/remind.ts';
import { correctEmail, resendInvitations } from '../actions/v1.ts';
import type { Progress } from '../job-queue.ts';
import { titleOf } from '../services/capabilities.ts';

type CorrectionResult =
  | { readonly as: 'done'; readonly notice: Notice }
  | { readonly as: 'failed' | 'unknown'; readonly failure: Failure };

interface CorrectionParameters {
  readonly corrections: readonly Correction[];
  readonly notify: boolean;
}

/**
 * Corrects the agreements one by one; reports each failure and continues. Corrects all parties of
 * an agreement before notifying any: if one signs immediately, the turn passes to the next, whom
 * the service then notifies automatically. Parties whose turn has not come get that notification
 * (API v1, "Signing order").
 */
export async function applyCorrections(
  ports: RemindPorts,
  { corrections, notify }: CorrectionParameters,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<CorrectionsResult> {
  const ends = new Map<Correction, CorrectionResult>();
  let failed = 0;
  report({ done: 0, total: corrections.length });
  for (const parties of byAgreement(corrections)) {
    for (const one of parties) {
      if (signal.aborted) break;
      const end = await correctOne(ports, one);
      if (end.as === 'failed') failed += 1;
      ends.set(one, end);
      report({ done: ends.size, failed });
    }
    // Corrected parties are notified even if the remaining corrections were stopped.
    for (const one of notify ? parties : []) {
      if (ends.get(one)?.as !== 'done') continue;
      ends.set(one, { as: 'done', notice: await resendInvitations(ports, one.key, one.partyId) });
    }
  }
  return resultOf(ports, corrections, ends);
}

/** Groups corrections by agreement, in the order of each agreement's first correction. */
function byAgreement(corrections: readonly Correction[]): Iterable<readonly Correction[]> {
  const groups = new Map<string, Correction[]>();
  for (const one of corrections) {
    const place = JSON.stringify([one.key.connectionId, one.key.id]);
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [one]);
    else group.push(one);
  }
  return groups.values();
}

async function correctOne(
  ports: RemindPorts,
  { key, partyId, from, address }: Correction,
): Promise<CorrectionResult> {
  try {
    const ended = await correctEmail(ports, { key, partyId, address, notify: false }, from);
    if (ended.outcome === 'done') return { as: 'done', notice: ended.notice };
    if (ended.outcome === 'unknown') return { as: 'unknown', failure: ended.failure };
    return { as: 'failed', failure: changedMeanwhileFailure };
  } catch (error) {
    return { as: 'failed', failure: ports.toFailure(error, 'corrections.run') };
  }
}

function resultOf(
  { stores }: RemindPorts,
  corrections: readonly Correction[],
  ends: ReadonlyMap<Correction, CorrectionResult>,
): CorrectionsResult {
  const result: CorrectionsResult = { done: [], failed: [], unknown: [] };
  for (const one of corrections) {
    const end = ends.get(one);
    if (end === undefined) continue;
    const { key, partyId } = one;
    const subject = { ...key, title: titleOf(stores, key), partyId };
    if (end.as === 'done') result.done.push({ ...subject, notice: end.notice });
    else result[end.as].push({ ...subject, failure: end.failure });
  }
  return result;
}

const changedMeanwhileFailure: Failure = new AppError(
  'conflict',
  'The agreement was changed on the service in the meantime, so nothing was done',
).failure;
