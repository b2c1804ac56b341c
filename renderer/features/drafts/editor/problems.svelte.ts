import { SvelteSet } from 'svelte/reactivity';
import type { Problem, SendCheck } from '../../../../shared/contract/drafts.ts';

export const draftSections = [
  'documents',
  'parties',
  'notifications',
  'dates',
  'fields',
  'sharing',
  'tags',
  'advanced',
] as const;
export type DraftSection = (typeof draftSections)[number];

export interface DraftProblem extends Problem {
  readonly level: 'error' | 'warning';
}

/** By the path of a problem's field; the first that fits says where it is shown. */
const places: readonly (readonly [RegExp, DraftSection])[] = [
  [/^attachments\.\d+\.fields|^dynamicPdf\.fields/, 'fields'],
  [/^(attachments|text|type|dynamicPdf)\b/, 'documents'],
  [/^parties\b/, 'parties'],
  [/^(notifications|notificationMessages)\b/, 'notifications'],
  [/^(expireOn|deleteOn|expireIn|reminders)\b|\.sendExpiryReminderOn$/, 'dates'],
  [/^(accessRights|links)\b/, 'sharing'],
  [/^tags\b/, 'tags'],
];

/** The section of the editor where a problem's field stands; null for the title above them. */
export function sectionOf(field: string): DraftSection | null {
  if (field === 'title' || field === 'name') return null;
  return places.find(([pattern]) => pattern.test(field))?.[1] ?? 'advanced';
}

/** What is wrong with the draft that is open, and how much of it is shown yet. */
export class DraftProblems {
  check = $state.raw<SendCheck | null>(null);
  /** All are shown. Before that only those of fields that the person has left. */
  insists = $state(false);
  readonly #visited = new SvelteSet<string>();

  readonly all: readonly DraftProblem[] = $derived([
    ...(this.check?.errors ?? []).map((problem) => ({ ...problem, level: 'error' as const })),
    ...(this.check?.warnings ?? []).map((problem) => ({ ...problem, level: 'warning' as const })),
  ]);
  readonly errors = $derived(this.check?.errors.length ?? 0);
  readonly warnings = $derived(this.check?.warnings.length ?? 0);

  /** The person was at this field and left it. */
  visit(field: string): void {
    this.#visited.add(field);
  }

  /** What is said now; the rest is still to do, and no mistake yet. */
  readonly shown: readonly DraftProblem[] = $derived(
    this.insists ? this.all : this.all.filter(({ field }) => this.#visited.has(field)),
  );

  /** What to say at a field now. */
  at(field: string): DraftProblem | null {
    return this.shown.find((problem) => problem.field === field) ?? null;
  }

  in(section: DraftSection): readonly DraftProblem[] {
    return this.all.filter(({ field }) => sectionOf(field) === section);
  }
}
