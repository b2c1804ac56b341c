/** When a sent agreement closes for signing and is deleted (epoch ms). */
export interface Deadlines {
  readonly expiresAt: number | null;
  readonly deletesAt: number | null;
}

export interface DeadlineProblems {
  readonly expiresAt?: 'past';
  readonly deletesAt?: 'past' | 'order';
}

/**
 * Errors in changed dates (API v1, "Update Agreement", with the rules of its create). An unchanged
 * or omitted date is not checked alone.
 * @param isClosed signing is over, so that only the deletion counts.
 */
export function checkDeadlines(
  wanted: Partial<Deadlines>,
  before: Deadlines,
  isClosed: boolean,
  now: number,
): DeadlineProblems {
  const isPast = (name: keyof Deadlines): boolean => {
    const time = wanted[name] ?? null;
    return time !== null && time !== before[name] && time <= now;
  };
  const expires = wanted.expiresAt ?? before.expiresAt;
  const deletes = wanted.deletesAt ?? before.deletesAt;
  const isCrossed = !isClosed && expires !== null && deletes !== null && deletes <= expires;
  const deletion = isPast('deletesAt') ? 'past' : isCrossed ? 'order' : null;
  return {
    ...(isPast('expiresAt') && { expiresAt: 'past' }),
    ...(deletion !== null && { deletesAt: deletion }),
  };
}
