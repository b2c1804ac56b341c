import { createContext } from 'svelte';
import type { DraftDocuments } from '../documents/state.svelte.ts';
import type { DraftEditor } from './state.svelte.ts';
import type { DraftProblems } from './problems.svelte.ts';
import type { DraftSending } from '../send/state.svelte.ts';

/** The draft that is open, for every part of the editor. */
export interface Editing {
  readonly editor: DraftEditor;
  readonly documents: DraftDocuments;
  readonly sending: DraftSending;
}

/** A request body while it is written: a draft's, or what the drafts of a template start with. */
export interface Changing {
  readonly problems: Pick<DraftProblems, 'all' | 'at'>;
  /** Something was chosen; what is typed is heard of where it bubbles to. */
  touch(): void;
}

export const [editing, setEditing] = createContext<Editing>();
export const [changing, setChanging] = createContext<Changing>();
