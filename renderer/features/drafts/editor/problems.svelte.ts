import { SvelteSet } from 'svelte/reactivity';
import type { Problem, SendCheck } from '../../../../shared/contract/drafts.ts';

export const draftSections = [
  'documents',
  'parties',
  'fields',
  'notifications',
  'dates',
  'sharing',
  'tags',
  'advanced',
] as const;
export type DraftSection = (typeof draftSections)[number];

/** Sections with settings that most drafts leave as they are; the editor folds them together. */
const optionSections: ReadonlySet<DraftSection> = new Set([
  'notifications',
  'dates',
  'sharing',
  'tags',
  'advanced',
]);

export const isOption = (section: DraftSection): boolean => optionSections.has(section);

export interface DraftProblem extends Problem {
  readonly level: 'error' | 'warning';
}

const UNREAD = { code: 'format', message: 'This is not a value of this kind' } as const;

/** Section for the path of a problem; the first entry that matches is used. */
const sectionPatterns: readonly (readonly [RegExp, DraftSection])[] = [
  [/^attachments\.\d+\.fields|^dynamicPdf\.fields/, 'fields'],
  [/^(attachments|text|type|dynamicPdf)\b/, 'documents'],
  [/^parties\b/, 'parties'],
  [/^(notifications|notificationMessages)\b/, 'notifications'],
  [/^(expireOn|deleteOn|expireIn|reminders)\b|\.sendExpiryReminderOn$/, 'dates'],
  [/^(accessRights|links)\b/, 'sharing'],
  [/^tags\b/, 'tags'],
];

/** Section of the editor that contains a problem's field; null for the title above the sections. */
export function sectionOf(field: string): DraftSection | null {
  if (field === 'title' || field === 'name') return null;
  return sectionPatterns.find(([pattern]) => pattern.test(field))?.[1] ?? 'advanced';
}

export class DraftProblems {
  check = $state.raw<SendCheck | null>(null);
  /** Whether all problems are shown; otherwise only those of fields that the user has left. */
  insists = $state(false);
  readonly #visited = new SvelteSet<string>();

  /** Fields with a text that is not a value of the draft; the check does not know such texts. */
  readonly #unread = new SvelteSet<string>();

  readonly all: readonly DraftProblem[] = $derived([
    ...[...this.#unread].map((field) => ({ ...UNREAD, field, level: 'error' as const })),
    ...(this.check?.errors ?? [])
      .filter(({ field }) => !this.#unread.has(field))
      .map((problem) => ({ ...problem, level: 'error' as const })),
    ...(this.check?.warnings ?? []).map((problem) => ({ ...problem, level: 'warning' as const })),
  ]);
  readonly errors = $derived(this.all.filter(({ level }) => level === 'error').length);
  readonly warnings = $derived(this.check?.warnings.length ?? 0);

  /** Records that the user left this field. */
  visit(field: string): void {
    this.#visited.add(field);
  }

  /** Records whether a field contains a text that is not a value of the draft. */
  setUnread(field: string, isUnread: boolean): void {
    if (isUnread) this.#unread.add(field);
    else this.#unread.delete(field);
  }

  /** The problems shown now; the others concern fields that the user has not left yet. */
  readonly shown: readonly DraftProblem[] = $derived(
    this.insists ? this.all : this.all.filter(({ field }) => this.#visited.has(field)),
  );

  at(field: string): DraftProblem | null {
    return this.shown.find((problem) => problem.field === field) ?? null;
  }

  in(section: DraftSection): readonly DraftProblem[] {
    return this.all.filter(({ field }) => sectionOf(field) === section);
  }
}
