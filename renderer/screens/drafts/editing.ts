import { createContext } from 'svelte';
import type { DraftDocuments } from '../../state/draft-documents.svelte.ts';
import type { DraftEditor } from '../../state/draft-editor.svelte.ts';
import type { DraftSending } from '../../state/draft-sending.svelte.ts';

/** The draft that is open, for every part of the editor. */
export interface Editing {
  readonly editor: DraftEditor;
  readonly documents: DraftDocuments;
  readonly sending: DraftSending;
}

export const [editing, setEditing] = createContext<Editing>();
