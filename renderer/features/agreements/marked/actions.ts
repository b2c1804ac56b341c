import type { ActionName } from '../../../../shared/contract/actions.ts';
import type { MenuAction } from '../../../ui/controls/menu-action.ts';
import { formatCount } from '../../../ui/format.ts';
import { m } from '../../../ui/language.svelte.ts';
import { marks, MAX_BULK_AGREEMENTS, type BulkActionKind } from '../marks.svelte.ts';
import { archive } from '../../archive/state.svelte.ts';
import { bulk } from './bulk.svelte.ts';
import { reports } from '../../reports/state.svelte.ts';
import { busyReason, reasonFor, reasonNow } from '../pane/action-list.ts';

interface MarkedActions {
  readonly main: readonly MenuAction[];
  readonly more: readonly MenuAction[];
  readonly final: readonly MenuAction[];
}

/** Reason why the action cannot start for any selected agreement; null if it can for some. */
function reasonAgainstAll(kind: BulkActionKind & ActionName): string | null {
  if (marks.count > MAX_BULK_AGREEMENTS)
    return m.marked_most({ count: formatCount(MAX_BULK_AGREEMENTS) });
  const busy = busyReason();
  if (busy !== null || marks.isWhole) return busy;
  const reasons = marks.rows.map((row) => reasonFor(kind, row) ?? reasonNow(row));
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

/** Reason why no PDF of the selection can be saved; null if at least one seems to be available. */
export function reasonWithoutSigned(): string | null {
  if (bulk.busy) return m.act_busy();
  if (marks.isWhole) return null;
  const isSigned = marks.rows.some(({ state, gone }) => state === 'signed' && gone === null);
  return isSigned ? null : m.detail_save_reason();
}

/** All actions on the selected agreements, each with the reason if it is unavailable. */
export function actionsOnMarked(): MarkedActions {
  const several = (kind: BulkActionKind & ActionName, label: string): MenuAction => ({
    id: kind,
    label,
    reason: reasonAgainstAll(kind),
    danger: kind === 'revoke' || kind === 'remove',
    run: () => void marks.ask(kind),
  });
  const { folder } = archive;
  return {
    main: [
      several('remind', m.act_remind()),
      {
        id: 'download',
        label: m.marked_download(),
        reason: reasonWithoutSigned(),
        run: () => (bulk.asksFolder = true),
      },
      {
        id: 'archive',
        label: m.marked_archive(),
        reason: folder === null ? m.marked_no_folder() : reasonWithoutSigned(),
        run: () => {
          if (folder !== null) void bulk.archive(folder);
        },
      },
    ],
    more: [
      several('change', m.act_deadlines()),
      {
        id: 'copy',
        label: m.marked_copy(),
        reason: null,
        run: () => void bulk.copyTable(),
      },
      {
        id: 'report',
        label: m.report_open(),
        reason: null,
        run: () => (reports.asked = true),
      },
    ],
    final: [several('revoke', m.act_revoke()), several('remove', m.act_delete())],
  };
}
