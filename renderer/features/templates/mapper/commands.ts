import { m } from '../../../ui/language.svelte.ts';
import type { Command } from '../../../window/shortcuts.svelte.ts';
import { toolCommands } from '../drawing/tools.ts';
import type { TemplateStart } from '../state.svelte.ts';
import type { TemplateEditor } from './state.svelte.ts';

interface MapperActions {
  /** Goes to the next undecided field (1) or the previous one (-1). */
  readonly decide: (by: 1 | -1) => void;
  readonly draw: (start: TemplateStart) => Promise<void>;
}

export function mapperCommands(
  editor: TemplateEditor,
  { decide, draw }: MapperActions,
): readonly Command[] {
  const whyDecided = (): string | null =>
    editor.counts.undecided === 0 ? m.templates_ready() : null;
  const whyNoPages = (): string | null =>
    editor.template?.source.kind === 'pdf' ? null : m.templates_no_preview();
  return [
    {
      id: 'template.next',
      group: 'do',
      title: m.templates_next_open,
      keys: ['F8', "$mod+'"],
      reason: whyDecided,
      run: () => decide(1),
    },
    {
      id: 'template.previous',
      group: 'do',
      title: m.templates_previous_open,
      keys: ['Shift+F8'],
      reason: whyDecided,
      run: () => decide(-1),
    },
    ...toolCommands((tool) => void draw({ kind: 'draw', tool, isByKey: true }), whyNoPages),
  ];
}
