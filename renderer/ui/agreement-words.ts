import type { Agreement } from '../../shared/contract/agreements.ts';
import type {
  AgreementState,
  Party,
  PartyState,
  TimelineEntry,
} from '../../shared/model/agreement.ts';
import { m } from './language.svelte.ts';

const stateLooks = {
  draft: { tone: 'draft', word: m.state_draft },
  waiting: { tone: 'waiting', word: m.state_waiting },
  'part-signed': { tone: 'part', word: m.state_part_signed },
  signed: { tone: 'signed', word: m.state_signed },
  rejected: { tone: 'rejected', word: m.state_rejected },
  revoked: { tone: 'revoked', word: m.state_revoked },
  expired: { tone: 'expired', word: m.state_expired },
  unknown: { tone: 'attention', word: m.state_unknown },
} as const satisfies Record<AgreementState, unknown>;

/** Name of a state; for an unknown state `native`, the service's own name, is used. */
export function stateWord(state: AgreementState, native = ''): string {
  const word: (values: { readonly native: string }) => string = stateLooks[state].word;
  return word({ native });
}

/** Tone and word of a state's badge. */
export const stateLook = (state: AgreementState, native: string) => ({
  tone: stateLooks[state].tone,
  word: stateWord(state, native),
});

const partyLooks = {
  draft: { tone: 'draft', word: m.party_draft },
  waiting: { tone: 'draft', word: m.party_waiting },
  turn: { tone: 'waiting', word: m.party_turn },
  signed: { tone: 'signed', word: m.party_signed },
  rejected: { tone: 'rejected', word: m.party_rejected },
  unknown: { tone: 'attention', word: m.party_unknown },
} as const satisfies Record<PartyState, unknown>;

/** Names of the signing methods of the APIs; unknown ones are shown as the service names them. */
const methodNames: Readonly<Record<string, () => string>> = {
  EID: m.method_eid,
  QES: m.method_qes,
  SMS_OTP: m.method_sms_otp,
  EMAIL_OTP: m.method_email_otp,
  EMAIL: m.method_email,
  CLICK: m.method_click,
  DRAW: m.method_draw,
  API: m.method_api,
};

const eventTexts = {
  created: m.timeline_created,
  sent: m.timeline_sent,
  signed: m.timeline_signed,
  closed: m.timeline_closed,
  rejected: m.timeline_rejected,
  revoked: m.timeline_revoked,
  expired: m.timeline_expired,
  imported: m.timeline_imported,
  activity: m.timeline_activity,
} as const satisfies Record<TimelineEntry['what'], () => string>;

type AgreementStatus = Pick<
  Agreement,
  'state' | 'nativeState' | 'perhapsExpired' | 'signedCount' | 'partyCount' | 'more'
>;

/**
 * Tone and words of an agreement's badge: the awaited parties and the number of signatures, if
 * known. The awaited parties are first, because a narrow column cuts the end.
 */
export function badgeOf(
  agreement: AgreementStatus,
  awaited: readonly string[] = agreement.more?.awaited ?? [],
) {
  const { state, nativeState, perhapsExpired, signedCount, partyCount } = agreement;
  const { tone } = stateLooks[state];
  if (perhapsExpired) return { tone, word: m.state_rejected_or_expired() };
  const isCounted = state === 'part-signed' && signedCount !== null && partyCount !== null;
  const signed = isCounted
    ? m.state_part_signed_of({ signed: signedCount, parties: partyCount })
    : stateWord(state, nativeState);
  const waits = awaitedText(awaited);
  if (waits === null) return { tone, word: signed };
  return { tone, word: state === 'part-signed' ? `${waits} · ${signed}` : waits };
}

/** Who can sign now: the only name, or the number of people; null if this is unknown. */
function awaitedText(names: readonly string[]): string | null {
  const [name = ''] = names;
  if (names.length > 1) return m.state_waiting_for_people({ count: names.length });
  return name === '' ? null : m.state_waiting_for({ name });
}

export function partyBadgeOf({ state, nativeState }: Party, isOpen = true) {
  // The services do not update the parties when an agreement ends before they sign.
  if (!isOpen && (state === 'turn' || state === 'waiting')) {
    return { tone: 'draft', word: m.party_unsigned() } as const;
  }
  const { tone, word } = partyLooks[state];
  return { tone, word: word({ native: nativeState }) };
}

export const methodName = (method: string): string => methodNames[method]?.() ?? method;

export function timelineText({ what, party }: TimelineEntry): string {
  return party === null ? eventTexts[what]() : m.timeline_by({ what: eventTexts[what](), party });
}
