import { m } from '../../../ui/language.svelte.ts';
import type { DraftEditor } from './state.svelte.ts';
import type { Command } from '../../../window/shortcuts.svelte.ts';

interface EditorActions {
  readonly send: () => void;
  readonly save: () => void;
  readonly duplicate: () => void;
  readonly export: () => void;
  readonly walk: (step: 1 | -1) => void;
  readonly attach: () => void;
  readonly addParty: () => void;
  /** Opens the menu with the other ways to add parties. */
  readonly addOther: () => void;
}

export function editorCommands(editor: DraftEditor, deeds: EditorActions): readonly Command[] {
  const whyLocked = (): string | null => (editor.isLocked ? m.draft_why_locked() : null);
  const group = 'do';
  return [
    {
      id: 'draft.send',
      group,
      title: m.draft_check_send,
      keys: ['$mod+Enter'],
      reason: whyLocked,
      run: deeds.send,
    },
    { id: 'draft.save', group, title: m.draft_save_now, keys: ['$mod+s'], run: deeds.save },
    {
      id: 'draft.duplicate',
      group,
      title: m.draft_duplicate,
      keys: ['$mod+Shift+d'],
      run: deeds.duplicate,
    },
    { id: 'draft.export', group, title: m.draft_export, keys: [], run: deeds.export },
    {
      id: 'draft.attach',
      group,
      title: m.draft_attach,
      keys: ['$mod+Shift+a', '$mod+o'],
      reason: whyLocked,
      run: deeds.attach,
    },
    {
      id: 'draft.party',
      group,
      title: m.draft_add_party,
      keys: ['$mod+Shift+p'],
      reason: whyLocked,
      run: deeds.addParty,
    },
    {
      id: 'draft.party-other',
      group,
      title: m.draft_add_party_other,
      keys: [],
      reason: whyLocked,
      run: deeds.addOther,
    },
    {
      id: 'draft.next',
      group,
      title: m.draft_next_problem,
      keys: ['F8', "$mod+'"],
      run: () => deeds.walk(1),
    },
    {
      id: 'draft.previous',
      group,
      title: m.draft_previous_problem,
      keys: ['Shift+F8'],
      run: () => deeds.walk(-1),
    },
  ];
}
