/** When an agreement that was sent closes for signing and is deleted; epoch milliseconds. */
export interface Deadlines {
  readonly expiresAt: number | null;
  readonly deletesAt: number | null;
}

export interface DeadlineProblems {
  readonly expiresAt?: 'past';
  readonly deletesAt?: 'past' | 'order';
}

/**
 * What is wrong with dates that are to be changed (API v1, "Update Agreement"; the rules are those
 * of its create). A date that stays as it is, or is left out, is not judged by itself.
 * @param isClosed nobody can sign any more, so that only the deletion counts.
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
