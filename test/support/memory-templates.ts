import type { TemplateStore } from '../../electron/core/template-ports.ts';
import type { Template } from '../../shared/contract/templates.ts';
import { AppError } from '../../shared/errors.ts';

/** Templates without a file. */
export function createMemoryTemplates(): TemplateStore {
  const rows = new Map<string, Template>();
  const pdfs = new Map<string, Uint8Array>();
  const get = (id: string) => rows.get(id) ?? missing();
  return {
    list: () => [...rows.values()].toSorted((a, b) => a.name.localeCompare(b.name)),
    get,
    pdf: (id) => pdfs.get(id) ?? missing(),
    insert(template, pdf) {
      rows.set(template.id, template);
      if (pdf !== null) pdfs.set(template.id, pdf);
    },
    save(template, pdf) {
      const { revision } = get(template.id);
      if (revision !== template.revision) throw new AppError('conflict', 'Changed meanwhile');
      rows.set(template.id, { ...template, revision: revision + 1 });
      if (pdf !== null) pdfs.set(template.id, pdf);
      return get(template.id);
    },
    setTrashed: (id, at) => void rows.set(id, { ...get(id), trashedAt: at }),
    takeNumber(id) {
      const { nextNumber } = get(id);
      rows.set(id, { ...get(id), nextNumber: nextNumber + 1 });
      return nextNumber;
    },
    countUse: (id) => void rows.set(id, { ...get(id), used: get(id).used + 1 }),
    purge(before) {
      const old = [...rows.values()].filter(
        ({ trashedAt }) => trashedAt !== null && trashedAt < before,
      );
      for (const { id } of old) rows.delete(id);
      return old.length;
    },
  };
}

function missing(): never {
  throw new AppError('not-found', 'There is no such template');
}
