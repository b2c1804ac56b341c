import type { DraftCheck, DraftContent } from '../../../../shared/contract/drafts.ts';
import type { TemplateContent } from '../../../../shared/model/template.ts';
import { checkDraft } from '../../../../shared/rules/drafts/check.ts';
import { DraftProblems } from '../../drafts/editor/problems.svelte.ts';
import type { TemplateEditor } from './state.svelte.ts';

/** Parts of a draft that a template fixes; the parties and the file's content are known later. */
const TEMPLATE_FIELD_PATTERNS = [
  /^(notifications|configurations|accessRights|links|tags)\b/,
  /^(notificationMessages|signatureMessage|additionalTBS|webhook)\b/,
  /^parties\.\d+\.(notifications|configurations|identificationConfigurations)\b/,
];

/** Defaults for the drafts of a template, edited and validated like a draft. */
export class TemplateSettings {
  readonly problems = new DraftProblems();
  readonly #editor: TemplateEditor;

  constructor(editor: TemplateEditor) {
    this.#editor = editor;
  }

  touch(): void {
    this.#editor.touch();
  }

  /** Reads all settings, so that an effect runs again after each change. */
  check(): void {
    const { content } = this.#editor;
    this.problems.check =
      content === null ? null : { ...checkTemplateDefaults(content, Date.now()), sentBefore: [] };
  }
}

/** The problems of a draft made now that lie in the template itself. @internal */
export function checkTemplateDefaults(content: TemplateContent, now: number): DraftCheck {
  const found = checkDraft(draftContentFrom(content), { files: [], forms: new Map() }, now);
  const isSaid = ({ field }: { readonly field: string }) =>
    TEMPLATE_FIELD_PATTERNS.some((one) => one.test(field));
  return {
    ...found,
    errors: found.errors.filter(isSaid),
    warnings: found.warnings.filter(isSaid),
  };
}

function draftContentFrom({ body, mapping }: TemplateContent): DraftContent {
  if (body.api === 'v1') {
    const parties = body.roles.map(({ party }) => party);
    return { api: 'v1', body: { ...body.rest, title: body.title, attachments: [], parties } };
  }
  const isDrawn = mapping.some(({ source }) => source.from === 'signature');
  return {
    api: 'v2',
    body: {
      ...body.rest,
      ...(isDrawn ? { drawSignature: true } : {}),
      name: body.title,
      type: 'ATTACHED',
      parties: { privates: [], companies: [] },
    },
  };
}
