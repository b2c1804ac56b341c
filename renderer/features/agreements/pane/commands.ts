import { m } from '../../../ui/language.svelte.ts';
import { activity } from '../../../window/activity.svelte.ts';
import { marks, type BulkActionKind } from '../marks.svelte.ts';
import { details } from '../../actions/details.svelte.ts';
import type { Command } from '../../../window/shortcuts.svelte.ts';
import type { MenuAction } from '../../../ui/controls/menu-action.ts';
import { actionGroups, busyReason, reasonNow } from './action-list.ts';

function actionOf(id: string): MenuAction | null {
  const agreement = details.shown;
  if (agreement === null) return null;
  const groups = actionGroups(agreement);
  const all = [...groups.main, ...groups.more, ...groups.facts, ...groups.final];
  return all.find((action) => action.id === id) ?? null;
}

function commandOf(
  id: string,
  title: () => string,
  keys: readonly string[],
  several?: BulkActionKind,
): Command {
  return {
    id: `agreement.${id}`,
    group: 'do',
    title,
    keys,
    reason: () => {
      if (marks.areSeveral) return null;
      const action = actionOf(id);
      const { shown } = details;
      if (action === null || shown === null) return m.agreements_pick_title();
      if (id === 'copy-link') return action.reason;
      // Refreshing is not blocked: while offline, it is how the user tests the connection.
      return action.reason ?? (id === 'refresh' ? busyReason() : reasonNow(shown));
    },
    run: () => {
      if (!marks.areSeveral) actionOf(id)?.run();
      else if (several === undefined) activity.notify(m.marked_one_only);
      else marks.asked = { kind: several };
    },
  };
}

/** Commands for the shown agreement. Final actions have no keys. */
export const agreementCommands: readonly Command[] = [
  commandOf('remind', m.act_remind, ['$mod+Shift+m'], 'remind'),
  commandOf('save', m.detail_save, ['$mod+s']),
  commandOf('deadlines', m.act_deadlines, []),
  commandOf('documents', m.act_save_documents, []),
  commandOf('share', m.act_share, []),
  commandOf('refresh', m.detail_refresh, []),
  commandOf('copy-link', m.detail_copy_link, []),
  commandOf('fields', m.act_fields, []),
  commandOf('record', m.act_raw, []),
  commandOf('revoke', m.act_revoke, [], 'revoke'),
  commandOf('delete', m.act_delete, [], 'remove'),
];
