import type { AgreementState, Party } from '../../../shared/model/agreement.ts';
import { formatRelative } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

interface Reminder {
  readonly party: Pick<Party, 'name' | 'state'>;
  readonly agreement: AgreementState;
  /** Type of the notification to send again, as the service names it; if absent, the invitation. */
  readonly type?: string | undefined;
  /** Time of the last notification (epoch ms). */
  readonly last: number | null;
  readonly now: number;
}

/**
 * Warnings before a reminder: the time of the last one, and conditions under which a reminder is
 * not useful.
 */
export function reminderWarnings({
  party,
  agreement,
  type,
  last,
  now,
}: Reminder): readonly string[] {
  return [
    ...(last === null ? [] : [m.remind_last({ when: formatRelative(last, now) })]),
    ...(party.state === 'turn' ? [] : [m.remind_not_turn({ name: party.name })]),
    ...(type === 'SIGNED_BY_ALL' && agreement !== 'signed' ? [m.remind_not_all_signed()] : []),
  ];
}
