import { m } from '../../ui/language.svelte.ts';
import { printing } from '../../ui/print/printing.svelte.ts';
import { screens } from '../screens.ts';
import { activity } from '../../window/activity.svelte.ts';
import { opening } from '../../features/backup/opening.svelte.ts';
import { digest } from '../../features/digest/state.svelte.ts';
import { CHOOSE_PART } from '../../features/drafts/place.ts';
import { outbox } from '../../features/outbox/state.svelte.ts';
import { go } from '../../window/router.svelte.ts';
import { type Command, shortcuts } from '../../window/shortcuts.svelte.ts';
import { sync } from '../../features/sync/state.svelte.ts';
import { undo, type Undoable } from '../../window/undo.svelte.ts';
import { focusSearch, movePane } from './panes.ts';

/** Cancels the newest send that is still held, and opens its draft. */
export async function undoHeldSend(): Promise<void> {
  const item = outbox.held[0];
  if (item === undefined) return;
  const draftId = await outbox.undo(item.ref);
  if (draftId === null) return;
  activity.notify(() => m.activity_undone({ title: item.title }));
  go('drafts', draftId);
}

function openSearch(): void {
  if (!focusSearch()) activity.notify(m.command_search_nothing);
}

const undoObstacle = (one: Undoable | null): string | null =>
  one === null ? m.command_undo_nothing() : one.reason();

const screenCommands: readonly Command[] = screens.map(({ name, title, keys }) => ({
  id: `go.${name}`,
  group: 'go',
  title,
  keys: [keys],
  run: () => go(name),
}));

export const globalCommands: readonly Command[] = [
  ...screenCommands,
  {
    id: 'draft.new',
    group: 'do',
    title: m.command_new_draft,
    keys: ['$mod+n'],
    run: () => go('drafts', 'new'),
  },
  {
    id: 'draft.new-choose',
    group: 'do',
    title: m.command_new_draft_other,
    keys: [],
    run: () => go('drafts', 'new', CHOOSE_PART),
  },
  {
    id: 'sync.check',
    group: 'do',
    title: m.command_check,
    keys: ['F5', '$mod+r'],
    run: () => void sync.checkNow(),
  },
  {
    id: 'outbox.undo',
    group: 'do',
    title: m.command_undo,
    keys: ['$mod+z'],
    leavesText: true,
    reason: () => (outbox.held.length > 0 ? null : undoObstacle(undo.back)),
    run: () => void (outbox.held.length > 0 ? undoHeldSend() : undo.back?.run()),
  },
  {
    id: 'edit.redo',
    group: 'do',
    title: m.command_redo,
    keys: ['$mod+Shift+z', '$mod+y'],
    leavesText: true,
    reason: () => undoObstacle(undo.again),
    run: () => undo.again?.run(),
  },
  {
    id: 'messages.open',
    group: 'do',
    title: m.said_open,
    keys: [],
    run: () => (activity.isListOpen = true),
  },
  {
    id: 'digest.open',
    group: 'do',
    title: m.digest_open,
    keys: [],
    run: () => digest.open(),
  },
  {
    id: 'corrections.open',
    group: 'do',
    title: m.corrections_title,
    keys: [],
    run: () => go('people', 'corrections'),
  },
  {
    id: 'backup.open',
    group: 'do',
    title: m.backup_open,
    keys: [],
    run: () => opening.begin(),
  },
  {
    id: 'print',
    group: 'do',
    title: m.print_open,
    keys: ['$mod+p'],
    reason: () => (printing.current === null ? m.print_none() : printing.current.reason()),
    run: () => printing.current?.print(),
  },
  {
    id: 'search.focus',
    group: 'list',
    title: m.command_search,
    keys: ['$mod+f', '[Shift]+/'],
    run: openSearch,
  },
  {
    id: 'pane.next',
    group: 'do',
    title: m.command_next_pane,
    keys: ['F6'],
    run: () => movePane(1),
  },
  {
    id: 'pane.previous',
    group: 'do',
    title: m.command_previous_pane,
    keys: ['Shift+F6'],
    run: () => movePane(-1),
  },
  {
    id: 'palette.open',
    group: 'do',
    title: m.command_palette,
    keys: ['$mod+k'],
    run: () => (shortcuts.paletteOpen = true),
  },
  {
    id: 'sheet.open',
    group: 'do',
    title: m.command_sheet,
    keys: ['$mod+[Shift]+/'],
    run: () => (shortcuts.sheetOpen = true),
  },
];
