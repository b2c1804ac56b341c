import type { Draft, DraftContent } from '../../shared/contract/drafts.ts';
import type { Person } from '../../shared/contract/people.ts';
import { AppError } from '../../shared/errors.ts';
import type { PeopleStore, StoredPartySet, StoredPerson } from '../../electron/core/draft-ports.ts';
import type { DraftStore, OutgoingFile } from '../../electron/core/ports.ts';

interface Row {
  readonly draft: Draft;
  readonly trashedAt: number | null;
  readonly sentAs: string | null;
  readonly sentAt: number | null;
  readonly steps: readonly { readonly edit: string | null; readonly content: DraftContent }[];
  readonly step: number;
}

/** The drafts without a file. Files that are taken out are forgotten. */
export function createDraftStore(): DraftStore {
  const rows = new Map<string, Row>();
  const data = new Map<string, OutgoingFile>();
  const isHere = ({ trashedAt, sentAs }: Row) => trashedAt === null && sentAs === null;
  const row = (id: string): Row => {
    const found = rows.get(id);
    return found !== undefined && isHere(found) ? found : missing('draft');
  };
  const get = (id: string) => row(id).draft;
  const change = (id: string, draft: Partial<Draft>, more: Partial<Row> = {}) => {
    const before = rows.get(id) ?? missing('draft');
    rows.set(id, { ...before, ...more, draft: { ...before.draft, ...draft } });
  };
  const editable = (id: string, revision: number) => {
    const draft = get(id);
    if (draft.sending !== null) {
      throw new AppError('conflict', 'Being sent', { reason: 'draft-locked' });
    }
    if (draft.revision !== revision) throw new AppError('conflict', 'Changed meanwhile');
  };
  return {
    list: () => [...rows.values()].filter(isHere).map(({ draft }) => draft),
    get,
    insert: (draft, give = () => {}) => {
      const steps = [{ edit: null, content: draft.content }];
      rows.set(draft.id, { draft, trashedAt: null, sentAs: null, sentAt: null, steps, step: 0 });
      try {
        give();
      } catch (error) {
        rows.delete(draft.id);
        throw error;
      }
    },
    save(id, revision, content, connectionId, at, edit = '') {
      editable(id, revision);
      const { steps, step } = row(id);
      const kept = steps.slice(0, step + 1);
      const isSame = edit !== '' && steps[step]?.edit === edit;
      const next = [...(isSame ? kept.slice(0, -1) : kept), { edit, content }];
      const draft = { content, connectionId, revision: revision + 1, updatedAt: at };
      change(id, draft, { steps: next, step: next.length - 1 });
      return get(id);
    },
    step(id, revision, by, at) {
      editable(id, revision);
      const { steps, step } = row(id);
      const content = steps[step + by]?.content;
      if (content === undefined) return get(id);
      change(id, { content, revision: revision + 1, updatedAt: at }, { step: step + by });
      return get(id);
    },
    reach: (id) => ({ undo: row(id).step, redo: row(id).steps.length - 1 - row(id).step }),
    remove: (id) => void (rows.delete(id) || missing('draft')),
    trash(id, at) {
      if (get(id).sending !== null) {
        throw new AppError('conflict', 'Being sent', { reason: 'draft-locked' });
      }
      change(id, {}, { trashedAt: at });
    },
    trashed: () =>
      [...rows.values()].flatMap(({ draft, trashedAt: at }) =>
        at === null ? [] : [{ draft, at }],
      ),
    restore: (id) => {
      change(id, {}, { trashedAt: null });
    },
    destroy: (id) => void rows.delete(id),
    purge({ trashed, sent }) {
      for (const { draft, trashedAt, sentAt } of rows.values()) {
        if (trashedAt !== null && trashedAt < trashed) rows.delete(draft.id);
        if (sentAt !== null && sentAt < sent) rows.delete(draft.id);
      }
    },
    keepSent: (id, ref, at) => {
      change(id, { sending: null }, { sentAs: ref, sentAt: at });
    },
    sentAs: (ref) => [...rows.values()].find((one) => one.sentAs === ref)?.draft ?? null,
    groupNames: () => [],
    copyFiles(from, to) {
      change(to, { files: rows.get(from)?.draft.files ?? [] });
    },
    addFile(id, file, bytes, modifiedAt) {
      change(id, { files: [...get(id).files, file] });
      data.set(file.id, { name: file.name, data: bytes, modifiedAt });
    },
    removeFile(id, file) {
      change(id, { files: get(id).files.filter((one) => one.id !== file) });
    },
    fileData: (_, file) => data.get(file) ?? missing('file'),
    setSending: (id, ref) => {
      change(id, { sending: ref });
    },
  };
}

/** The address book without a file; looks for words as they stand. */
export function createPeopleStore(): PeopleStore {
  const people = new Map<string, StoredPerson>();
  const sets = new Map<string, StoredPartySet>();
  const textOf = ({ personNumber: _, ...seen }: Person) =>
    Object.values(seen).join(' ').toLowerCase();
  const find = (id: string) => [...people].find(([, one]) => one.id === id);
  return {
    search: (words, most) =>
      [...people.values()]
        .filter(({ person }) => words.every((word) => textOf(person).includes(word.toLowerCase())))
        .toSorted((one, other) => other.usedAt - one.usedAt)
        .slice(0, most),
    get: (id) => find(id)?.[1].person ?? missing('person'),
    remember: (id, key, person, usedAt) => {
      people.set(key, { id: people.get(key)?.id ?? id, person, usedAt });
    },
    remove: (id) => void people.delete(find(id)?.[0] ?? missing('person')),
    sets: () => [...sets.values()],
    set: (id) => sets.get(id) ?? missing('set'),
    saveSet: (set) => void sets.set(set.id, set),
    removeSet: (id) => void (sets.delete(id) || missing('set')),
  };
}

function missing(what: string): never {
  throw new AppError('not-found', `There is no such ${what}`);
}
