import type { AgreementState, Party } from '../../../shared/model/agreement.ts';
import { formatRelative } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

interface Reminder {
  readonly party: Pick<Party, 'name' | 'state'>;
  readonly agreement: AgreementState;
  /** The service's name of what is sent again; the invitation unless given. */
  readonly type?: string | undefined;
  /** When it went out last. */
  readonly last: number | null;
  readonly now: number;
}

/** What a person should know before something is sent again: when it last was, and what does not fit. */
export function remindCares({ party, agreement, type, last, now }: Reminder): readonly string[] {
  return [
    ...(last === null ? [] : [m.remind_last({ when: formatRelative(last, now) })]),
    ...(party.state === 'turn' ? [] : [m.remind_not_turn({ name: party.name })]),
    ...(type === 'SIGNED_BY_ALL' && agreement !== 'signed' ? [m.remind_not_all_signed()] : []),
  ];
}
