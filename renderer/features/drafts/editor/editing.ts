import { createContext } from 'svelte';
import type { DraftDocuments } from '../documents/state.svelte.ts';
import type { DraftEditor } from './state.svelte.ts';
import type { DraftProblems } from './problems.svelte.ts';
import type { DraftSending } from '../send/state.svelte.ts';

/** The open draft, for all parts of the editor. */
export interface Editing {
  readonly editor: DraftEditor;
  readonly documents: DraftDocuments;
  readonly sending: DraftSending;
}

/** A request body that is being edited: a draft's, or the defaults of a template. */
export interface BodyEditing {
  readonly problems: Pick<DraftProblems, 'all' | 'at' | 'setUnread'>;
  /**
   * Reports a choice. Typing needs no call, because its event bubbles up; a field that reports
   * typing anyway names itself, so that its visit stays one edit.
   */
  touch(field?: string): void;
}

export const [editing, setEditing] = createContext<Editing>();
export const [changing, setChanging] = createContext<BodyEditing>();
