import { AgreementId, type DraftId, type TemplateId } from '../../../../shared/model/ids.ts';
import type { PdfField } from '../../../../shared/model/pdf-form.ts';
import type {
  PdfComparison,
  Template,
  TemplateAnswers,
} from '../../../../shared/contract/templates.ts';
import type { Failure } from '../../../../shared/errors.ts';
import { Serial } from '../../../../shared/serial.ts';
import type { Condition, FieldSource, TemplateContent } from '../../../../shared/model/template.ts';
import { templateFields } from '../../../../shared/rules/templates/fields.ts';
import { api, failureOf, handOver } from '../../../window/desk.ts';
import { m } from '../../../ui/language.svelte.ts';
import { activity } from '../../../window/activity.svelte.ts';
import { connections } from '../../connections/state.svelte.ts';
import { ContentSteps } from './content-steps.svelte.ts';
import { become } from '../../drafts/become.ts';
import { dropUnworded, questionFor } from './questions.ts';
import type { UndoWay } from '../../../window/undo.svelte.ts';

/** Long enough to gather the letters of a word, far below the second within which edits are kept. */
const PAUSE = 400;

/** What was answered last, so that it is there after a look elsewhere. It is never stored. */
const tried = new Map<TemplateId, TemplateAnswers>();
const nobody = (): TemplateAnswers => ({ parties: {}, questions: {} });

/** What a trial gave: the address of the filled PDF, and what does not fit. */
export type Trial = Awaited<ReturnType<(typeof api)['templates.try']>>;

/** One template while it is open; every change is stored by itself. */
export class TemplateEditor {
  readonly id: TemplateId;
  template = $state.raw<Template | null>(null);
  content = $state<TemplateContent | null>(null);
  failure = $state.raw<Failure | null>(null);
  savedAt = $state<number | null>(null);
  /** The field that is looked at, in the list and on the page. */
  selected = $state('');
  answers = $state<TemplateAnswers>(nobody());
  trial = $state.raw<Trial | null>(null);
  #steps = $state.raw<ContentSteps<TemplateContent> | null>(null);
  readonly reach = $derived(this.#steps?.reach ?? { undo: 0, redo: 0 });
  /** Names the text that is typed in; null elsewhere. */
  #edit: string | null = null;
  #visits = 0;
  /** Something of it is not stored yet. */
  #unsaved = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #saving = new Serial();

  readonly fields: readonly PdfField[] = $derived(
    this.template === null ? [] : templateFields(this.template),
  );

  constructor(id: TemplateId) {
    this.id = id;
    this.answers = tried.get(id) ?? nobody();
  }

  async open(): Promise<void> {
    try {
      this.#show(await api['templates.get']({ id: this.id }));
      this.failure = null;
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  change(work: (content: TemplateContent) => void): void {
    if (this.content === null) return;
    work(this.content);
    this.touch();
  }

  sourceOf(field: string): FieldSource | undefined {
    return this.content?.mapping.find((one) => one.field === field)?.source;
  }

  /** Undefined takes the decision back. */
  setSource(field: PdfField, source: FieldSource | undefined): void {
    this.change((content) => map(content, field, source));
  }

  conditionOf(field: string): Condition | undefined {
    return this.content?.mapping.find((one) => one.field === field)?.onlyIf;
  }

  /** Undefined for a field that is filled in always. */
  setCondition(field: string, condition: Condition | undefined): void {
    this.change(({ mapping }) => {
      const mapped = mapping.find((one) => one.field === field);
      if (mapped === undefined) return;
      if (condition === undefined) delete mapped.onlyIf;
      else mapped.onlyIf = condition;
    });
  }

  /** Fills a field from a question that is not there yet. */
  ask(field: PdfField): void {
    const question = questionFor(field);
    this.change((content) => {
      content.questions.push(question);
      map(content, field, { from: 'question', question: question.id });
    });
  }

  /** Something of the content was changed: it is stored within a second. */
  touch(): void {
    if (this.content === null) return;
    this.#steps?.record($state.snapshot(this.content), this.#edit);
    this.#differs();
    // Not put off by further typing: the first letter waits no longer than the last.
    this.#timer ??= setTimeout(() => void this.save(), PAUSE);
  }

  /** The person went to another part: typing on in a text is one edit, all else one by itself. */
  enter(isText: boolean): void {
    this.#visits += 1;
    this.#edit = isText ? `text ${this.#visits}` : null;
  }

  /** Takes the last edit back, or does it again; gives whether there was one. */
  go(by: UndoWay): boolean {
    const content = this.#steps?.go(by) ?? null;
    if (content === null) return false;
    // In place: the field that has the focus keeps it.
    this.content = become(this.content, structuredClone(content));
    this.trial = null;
    this.#differs();
    void this.save();
    return true;
  }

  async rename(name: string): Promise<void> {
    if (this.template === null) return;
    this.template = { ...this.template, name };
    this.#differs();
    await this.save();
  }

  /**
   * Stores what is shown now, and gives whether all of it is stored; of several at once each waits
   * for the one before.
   */
  async save(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#saving.run(async () => {
      const { template, content } = this;
      if (template === null || content === null) return;
      this.#unsaved = false;
      const isStored = await activity.attempt(async () => {
        const { id, name, revision } = template;
        const plain = $state.snapshot(content);
        const saved = await api['templates.save']({ id, name, revision, content: plain });
        // It may have another name by now, which is stored next.
        this.template = { ...saved, name: this.template?.name ?? saved.name };
        // Letters that came while it was stored are not stored yet, and must not be called so.
        this.savedAt = this.#unsaved ? null : saved.updatedAt;
      });
      if (!isStored) this.#unsaved = true;
    });
    return !this.#unsaved;
  }

  /** Stores what was typed just before the screen is left. */
  leave(): void {
    tried.set(this.id, $state.snapshot(this.answers));
    if (this.#unsaved) void this.save();
  }

  async compare(file: File): Promise<PdfComparison | null> {
    let comparison: PdfComparison | null = null;
    await activity.attempt(async () => {
      const bytes = await handOver(new Uint8Array(await file.arrayBuffer()));
      comparison = await api['templates.compare']({ id: this.id, bytes });
    });
    return comparison;
  }

  /** `stay` are drawn fields that a person keeps where they were. */
  async replacePdf(file: File, stay: readonly string[]): Promise<void> {
    if (!(await this.save())) return;
    await activity.attempt(async () => {
      const bytes = await handOver(new Uint8Array(await file.arrayBuffer()));
      const revision = this.template?.revision ?? 0;
      const { id } = this;
      const given = { fileName: file.name, bytes, stay: [...stay] };
      this.#show(await api['templates.replacePdf']({ id, revision, ...given }));
    });
  }

  async learnFromPdf(file: File): Promise<void> {
    await activity.attempt(async () => {
      const bytes = await handOver(new Uint8Array(await file.arrayBuffer()));
      const from = { bytes, fileName: file.name };
      this.#show(await api['templates.learn']({ id: this.id, from }));
    });
  }

  async learnFromAgreement(id: string): Promise<void> {
    await activity.attempt(async () => {
      const { all, current } = connections;
      const through = [current, ...all].find((one) => one?.api === 'v2');
      if (through === undefined || through === null) {
        activity.say(m.templates_learn_no_connection);
        return;
      }
      const from = { connectionId: through.id, id: AgreementId.parse(id) };
      this.#show(await api['templates.learn']({ id: this.id, from }));
    });
  }

  async tryOut(): Promise<void> {
    await this.save();
    await activity.attempt(async () => {
      const answers = $state.snapshot(this.answers);
      const trial = await api['templates.try']({ id: this.id, answers });
      this.trial = trial;
      const { length } = trial.problems;
      activity.say(() =>
        length === 0 ? m.templates_no_problems() : m.templates_problems({ count: length }),
      );
    });
  }

  async newDraft(): Promise<DraftId | null> {
    if (!(await this.save())) return null;
    let made: DraftId | null = null;
    await activity.attempt(async () => {
      const { current, all } = connections;
      const possible = all.filter((one) => one.api === this.content?.body.api);
      // Through the connection in use; where only one speaks this API, there is nothing to choose.
      const only = possible.length === 1 ? possible[0] : undefined;
      const connectionId = (possible.find(({ id }) => id === current?.id) ?? only)?.id ?? null;
      const answers = $state.snapshot(this.answers);
      made = (await api['templates.newDraft']({ id: this.id, connectionId, answers })).draft;
    });
    // What stands in the way is shown beside the answers.
    if (made === null) await this.tryOut();
    else this.answers = nobody();
    return made;
  }

  /** What is shown is not what is stored. */
  #differs(): void {
    this.savedAt = null;
    this.#unsaved = true;
  }

  #show(template: Template): void {
    this.template = template;
    this.trial = null;
    // What was typed meanwhile is stored in a moment, and fits the new fields or is marked.
    if (this.#unsaved) return;
    this.content = structuredClone(template.content);
    this.#steps = new ContentSteps(template.content);
    this.savedAt = template.updatedAt;
  }
}

function map(content: TemplateContent, field: PdfField, source: FieldSource | undefined): void {
  const { name } = field;
  const mapped = content.mapping.find((one) => one.field === name);
  const before = mapped?.source;
  if (source === undefined) content.mapping = content.mapping.filter((one) => one !== mapped);
  else if (mapped === undefined) content.mapping.push({ field: name, source });
  else mapped.source = source;
  if (before?.from === 'question') dropUnworded(content, before.question, field);
}
