import { type Template } from '../../../../shared/contract/templates.ts';
import { TemplateId } from '../../../../shared/model/ids.ts';
import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';
import { SharedTemplate } from '../../../../shared/rules/office/items.ts';
import type { Content } from '../../../../shared/rules/office/merge.ts';
import { containsPersonNumber } from '../../../../shared/rules/people/personal-numbers.ts';
import { usesNumber } from '../../../../shared/rules/templates/values.ts';
import { orNull } from '../../app-error.ts';
import type { ItemKeeper, KeeperPorts } from './keeper.ts';

/**
 * Reads and writes templates with their PDFs. A template that numbers its agreements is not shared,
 * because two computers would assign the same number. Templates that contain a personal number are
 * not shared either, because all users can read templates. Usage counts are not shared.
 */
export function createTemplateItems({ stores, clock }: KeeperPorts): ItemKeeper {
  const { templates } = stores;
  const found = (id: string): Template | null => orNull(() => templates.get(TemplateId.parse(id)));
  const contentOf = ({ name, source, content }: Template): Json => ({ name, source, content });
  return {
    shape: { fields: {} },
    list: () =>
      new Map(
        templates
          .list()
          .filter(({ trashedAt }) => trashedAt === null)
          .map((one) => [one.id, contentOf(one)]),
      ),
    read(id) {
      const template = found(id);
      return template === null || template.trashedAt !== null ? undefined : contentOf(template);
    },
    write(id, content, files) {
      const here = found(id);
      const now = clock.now();
      if (content === undefined) {
        if (here?.trashedAt === null) templates.setTrashed(here.id, now);
        return true;
      }
      const written = SharedTemplate.parse(content);
      const pdf = files.get(hashOf(written) ?? '') ?? null;
      if (here === null) {
        const counts = { nextNumber: 1, used: 0, revision: 1 };
        const times = { createdAt: now, updatedAt: now, trashedAt: null };
        templates.insert({ id: TemplateId.parse(id), ...written, ...counts, ...times }, pdf);
        return true;
      }
      templates.save({ ...here, ...written, updatedAt: now }, pdf);
      if (here.trashedAt !== null) templates.setTrashed(here.id, null);
      return true;
    },
    changedAt: (id) => found(id)?.updatedAt ?? null,
    filesOf(content) {
      const template = SharedTemplate.safeParse(content);
      const sha256 = template.success ? hashOf(template.data) : null;
      return sha256 === null ? [] : [sha256];
    },
    readFile(id, sha256) {
      const here = found(id);
      return here !== null && hashOf(here) === sha256 ? templates.pdf(here.id) : null;
    },
    isWithheld(id) {
      const here = found(id);
      if (here === null || here.trashedAt !== null) return false;
      return usesNumber(here) || containsPersonNumber(contentOf(here));
    },
    titleOf: (_id, content) => SharedTemplate.parse(content).name,
    textOf,
  };
}

function hashOf({ source }: Pick<SharedTemplate, 'source'>): string | null {
  return source.kind === 'pdf' ? source.sha256 : null;
}

/** Returns the text of a name, the source, or the roles and the number of mapped fields. */
function textOf(content: Content): string | null {
  if (typeof content === 'string') return content;
  const whole = SharedTemplate.safeParse(content);
  if (whole.success) return whole.data.name;
  const source = SharedTemplate.shape.source.safeParse(content);
  if (source.success) {
    return source.data.kind === 'pdf' ? source.data.fileName : source.data.templateId;
  }
  const rest = SharedTemplate.shape.content.safeParse(content);
  if (!rest.success) return null;
  const { body, mapping } = rest.data;
  return [...body.roles.map(({ name }) => name), String(mapping.length)].join(' · ');
}
