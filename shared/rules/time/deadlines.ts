/** Times when a sent agreement closes for signing and is deleted (epoch ms). */
export interface Deadlines {
  readonly expiresAt: number | null;
  readonly deletesAt: number | null;
}

export interface DeadlineProblems {
  readonly expiresAt?: 'past';
  readonly deletesAt?: 'past' | 'order';
}

/**
 * Errors in changed dates, by the rules for new agreements (API v1, "Update Agreement"). An
 * unchanged or omitted date may be in the past; only the order of both dates is checked.
 * @param isClosed whether signing is over, so that the order of the dates does not matter
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
