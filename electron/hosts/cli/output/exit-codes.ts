import type { ErrorCode, Failure } from '../../../../shared/errors.ts';

/** What the process ends with; stable, since scripts read it. */
export const exits = {
  done: 0,
  unexpected: 1,
  usage: 2,
  invalid: 3,
  credentials: 4,
  unreachable: 5,
  inPart: 6,
  personDecides: 7,
  conflict: 8,
  stopped: 130,
} as const;

export type Exit = (typeof exits)[keyof typeof exits];

const byCode = {
  invalid: exits.invalid,
  'signed-out': exits.credentials,
  forbidden: exits.credentials,
  'not-found': exits.invalid,
  conflict: exits.conflict,
  limited: exits.unreachable,
  offline: exits.unreachable,
  service: exits.unreachable,
  storage: exits.unexpected,
  'newer-data': exits.unexpected,
  vault: exits.credentials,
  cancelled: exits.stopped,
  unexpected: exits.unexpected,
} as const satisfies Record<ErrorCode, Exit>;

/** The exit of a command that ended with this failure. */
export function exitOf(failure: Failure): Exit {
  const { reason } = failure;
  const isForPerson = reason === 'outcome-unknown' || reason === 'replaced-sent';
  return isForPerson ? exits.personDecides : byCode[failure.code];
}
