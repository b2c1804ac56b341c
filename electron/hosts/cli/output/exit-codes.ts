import type { ErrorCode, ErrorReason, Failure } from '../../../../shared/errors.ts';

/** Exit codes of the process; stable, because scripts depend on them. */
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

const exitByErrorCode = {
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

const reasonsForPerson: readonly ErrorReason[] = [
  'outcome-unknown',
  'replaced-sent',
  'replaced-unproved',
  'time-missed',
];

/** Reasons why a named file cannot be used, for example because it is of another kind. */
const reasonsForFile: readonly ErrorReason[] = ['backup-damaged'];

export function exitOf({ code, reason }: Failure): Exit {
  if (reason === undefined) return exitByErrorCode[code];
  if (reasonsForPerson.includes(reason)) return exits.personDecides;
  return reasonsForFile.includes(reason) ? exits.invalid : exitByErrorCode[code];
}
