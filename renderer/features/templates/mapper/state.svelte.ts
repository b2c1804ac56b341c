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
import { fillableFields } from '../../../../shared/rules/templates/fields.ts';
import { api, failureOf, transferBytes } from '../../../window/desk.ts';
import { m } from '../../../ui/language.svelte.ts';
import { activity } from '../../../window/activity.svelte.ts';
import { connections } from '../../connections/state.svelte.ts';
import { ContentSteps } from './content-steps.svelte.ts';
import { updateInPlace } from '../../drafts/become.ts';
import type { FieldCounts } from '../next-step.ts';
import { fieldsInOrder } from './reading-order.ts';
import { removeUnusedQuestion, questionFor } from './questions.ts';
import type { UndoWay } from '../../../window/undo.svelte.ts';

/**
 * Delay of a save (ms). It groups the characters of a word, and stays below one second, within
 * which edits must be stored.
 */
const TEMPLATE_SAVE_DELAY_MS = 400;

const emptyAnswers = (): TemplateAnswers => ({ parties: {}, questions: {} });

/** Whether no question has an answer. */
export const isEmptyTrial = ({ parties, questions }: TemplateAnswers): boolean =>
  [questions, ...Object.values(parties)].every((answers) =>
    Object.values(answers).every((answer) => answer === ''),
  );

/** Result of a trial: the address of the filled PDF, and the values that do not fit. */
export type TemplateTrial = Awaited<ReturnType<(typeof api)['templates.try']>>;

/** One open template; every change is stored automatically. */
export class TemplateEditor {
  readonly id: TemplateId;
  template = $state.raw<Template | null>(null);
  content = $state<TemplateContent | null>(null);
  failure = $state.raw<Failure | null>(null);
  savedAt = $state<number | null>(null);
  selected = $state('');
  answers = $state<TemplateAnswers>(emptyAnswers());
  trial = $state.raw<TemplateTrial | null>(null);
  #steps = $state.raw<ContentSteps<TemplateContent> | null>(null);
  readonly reach = $derived(this.#steps?.reach ?? { undo: 0, redo: 0 });
  /** Name of the current text edit; null outside of text fields. */
  #edit: string | null = null;
  #visits = 0;
  #unsaved = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #saving = new Serial();

  /** Fields that can have a value, in reading order. */
  readonly fields: readonly PdfField[] = $derived(
    this.template === null ? [] : fieldsInOrder(fillableFields(this.template)),
  );
  readonly counts: FieldCounts = $derived({
    kind: this.template?.source.kind ?? 'pdf',
    isDrawn: this.content?.drawing !== undefined,
    fields: this.fields.length,
    undecided: this.fields.filter(({ name }) => this.sourceOf(name) === undefined).length,
  });

  constructor(id: TemplateId) {
    this.id = id;
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

  /**
   * Selects the next undecided field (1) or the previous one (-1), also past the end of the list.
   * Returns whether there is one.
   */
  selectUndecided(by: 1 | -1): boolean {
    const names = this.fields.map(({ name }) => name);
    const ordered = by === 1 ? names : names.toReversed();
    const from = ordered.indexOf(this.selected) + 1;
    const around = [...ordered.slice(from), ...ordered.slice(0, from)];
    const next = around.find((name) => this.sourceOf(name) === undefined);
    if (next !== undefined) this.selected = next;
    return next !== undefined;
  }

  /** Sets the source of a field; undefined makes the field undecided again. */
  setSource(field: PdfField, source: FieldSource | undefined): void {
    this.change((content) => assignSource(content, field, source));
  }

  conditionOf(field: string): Condition | undefined {
    return this.content?.mapping.find((one) => one.field === field)?.onlyIf;
  }

  /** Sets the condition of a field; undefined for a field that is always filled. */
  setCondition(field: string, condition: Condition | undefined): void {
    this.change(({ mapping }) => {
      const mapped = mapping.find((one) => one.field === field);
      if (mapped === undefined) return;
      if (condition === undefined) delete mapped.onlyIf;
      else mapped.onlyIf = condition;
    });
  }

  /** Fills a field from a new question. */
  ask(field: PdfField): void {
    const question = questionFor(field);
    this.change((content) => {
      content.questions.push(question);
      assignSource(content, field, { from: 'question', question: question.id });
    });
  }

  /** Records a change of the content; it is stored within a second. */
  touch(): void {
    if (this.content === null) return;
    this.#steps?.record($state.snapshot(this.content), this.#edit);
    this.#differs();
    // Further typing does not postpone the save, so that the first character is stored in time.
    this.#timer ??= setTimeout(() => void this.save(), TEMPLATE_SAVE_DELAY_MS);
  }

  /** Called on a focus change. Typing in one text is one edit; every other change is separate. */
  enter(isText: boolean): void {
    this.#visits += 1;
    this.#edit = isText ? `text ${this.#visits}` : null;
  }

  /** Undoes or redoes the last edit; returns whether there was one. */
  go(by: UndoWay): boolean {
    const content = this.#steps?.go(by) ?? null;
    if (content === null) return false;
    // Update in place, so that the focused field keeps the focus.
    this.content = updateInPlace(this.content, structuredClone(content));
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
   * Stores the current content and returns whether all of it is stored. Concurrent calls run one
   * after the other.
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
        // The template may have been renamed during the save; the new name is stored next.
        this.template = { ...saved, name: this.template?.name ?? saved.name };
        // Text typed during the save is not stored yet, and must not be shown as saved.
        this.savedAt = this.#unsaved ? null : saved.updatedAt;
      }, 'templates.save');
      if (!isStored) this.#unsaved = true;
    });
    return !this.#unsaved;
  }

  /** Stores the last changes before the screen is left. */
  leave(): void {
    if (this.#unsaved) void this.save();
  }

  /**
   * Sends the last changes without waiting for replies, which no longer arrive when the window
   * closes.
   */
  flush(): void {
    const { template, content } = this;
    if (template === null || content === null || !this.#unsaved) return;
    const { id, name } = template;
    // A save in flight increases the revision by one.
    const revision = template.revision + (this.#saving.isIdle ? 0 : 1);
    const order = { id, name, revision, content: $state.snapshot(content) };
    this.#unsaved = false;
    void activity.attempt(async () => void (await api['templates.save'](order)));
  }

  async compare(file: File): Promise<PdfComparison | null> {
    let comparison: PdfComparison | null = null;
    await activity.attempt(async () => {
      const bytes = await transferBytes(new Uint8Array(await file.arrayBuffer()));
      comparison = await api['templates.compare']({ id: this.id, bytes });
    }, 'templates.compare');
    return comparison;
  }

  /** Replaces the PDF. `stay` names drawn fields that keep their position. */
  async replacePdf(file: File, stay: readonly string[]): Promise<void> {
    if (!(await this.save())) return;
    await activity.attempt(async () => {
      const bytes = await transferBytes(new Uint8Array(await file.arrayBuffer()));
      const revision = this.template?.revision ?? 0;
      const { id } = this;
      const given = { fileName: file.name, bytes, stay: [...stay] };
      this.#show(await api['templates.replacePdf']({ id, revision, ...given }));
    }, 'templates.replacePdf');
  }

  async learnFromPdf(file: File): Promise<void> {
    await activity.attempt(async () => {
      const bytes = await transferBytes(new Uint8Array(await file.arrayBuffer()));
      const from = { bytes, fileName: file.name };
      this.#show(await api['templates.learn']({ id: this.id, from }));
    }, 'templates.learn');
  }

  async learnFromAgreement(id: string): Promise<void> {
    await activity.attempt(async () => {
      const { all, current } = connections;
      const through = [current, ...all].find((one) => one?.api === 'v2');
      if (through === undefined || through === null) {
        activity.notify(m.templates_learn_no_connection);
        return;
      }
      const from = { connectionId: through.id, id: AgreementId.parse(id) };
      this.#show(await api['templates.learn']({ id: this.id, from }));
    }, 'templates.learn');
  }

  async tryOut(): Promise<void> {
    await this.save();
    await activity.attempt(async () => {
      const answers = $state.snapshot(this.answers);
      const trial = await api['templates.try']({ id: this.id, answers });
      this.trial = trial;
      const { length } = trial.problems;
      activity.notify(() =>
        length === 0 ? m.templates_no_problems() : m.templates_problems({ count: length }),
      );
    }, 'templates.try');
  }

  async newDraft(): Promise<DraftId | null> {
    if (!(await this.save())) return null;
    let made: DraftId | null = null;
    await activity.attempt(async () => {
      const { current, all } = connections;
      const possible = all.filter((one) => one.api === this.content?.body.api);
      // Prefer the connection in use; if only one uses this API, there is nothing to choose.
      const only = possible.length === 1 ? possible[0] : undefined;
      const connectionId = (possible.find(({ id }) => id === current?.id) ?? only)?.id ?? null;
      const answers = $state.snapshot(this.answers);
      made = (await api['templates.newDraft']({ id: this.id, connectionId, answers })).draft;
    }, 'templates.newDraft');
    // The trial shows the problems next to the answers.
    if (made === null) await this.tryOut();
    else this.answers = emptyAnswers();
    return made;
  }

  #differs(): void {
    this.savedAt = null;
    this.#unsaved = true;
  }

  #show(template: Template): void {
    this.template = template;
    this.trial = null;
    // Text typed during the call is stored soon; if it does not fit the new fields, it is marked.
    if (this.#unsaved) return;
    this.content = structuredClone(template.content);
    this.#steps = new ContentSteps(template.content);
    this.savedAt = template.updatedAt;
  }
}

function assignSource(
  content: TemplateContent,
  field: PdfField,
  source: FieldSource | undefined,
): void {
  const { name } = field;
  const mapped = content.mapping.find((one) => one.field === name);
  const before = mapped?.source;
  if (source === undefined) content.mapping = content.mapping.filter((one) => one !== mapped);
  else if (mapped === undefined) content.mapping.push({ field: name, source });
  else mapped.source = source;
  if (before?.from === 'question') removeUnusedQuestion(content, before.question, field);
}
