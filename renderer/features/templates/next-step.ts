import type { TemplateSummary } from '../../../shared/contract/templates.ts';

/** How far the fields of a template are decided. */
export interface FieldCounts extends Pick<TemplateSummary, 'kind' | 'isDrawn'> {
  /** Number of fields that can have a value. */
  readonly fields: number;
  /** Number of these fields without a source. */
  readonly undecided: number;
}

/**
 * The next step of a template before it can be used: its PDF has no fields (`find`), or only fields
 * that are not saved in it (`draw`); the fields of the service's template are not known (`learn`);
 * some fields have no source (`decide`).
 */
export type TemplateStep = 'find' | 'draw' | 'learn' | 'decide' | 'use';

export function nextStep({ kind, fields, undecided, isDrawn }: FieldCounts): TemplateStep {
  if (fields > 0) return undecided > 0 ? 'decide' : 'use';
  if (kind === 'service') return 'learn';
  return isDrawn ? 'draw' : 'find';
}
