import type { FormKey, UnsavedForm } from '../../../shared/contract/forms.ts';

/** Texts typed into forms that were neither saved nor cancelled. */
export interface FormStore {
  /** Removes the forms that were last changed before this time (epoch ms), and returns the others. */
  list(before: number): readonly UnsavedForm[];
  /** `at`: time of the change (epoch ms). */
  keep(form: UnsavedForm, at: number): void;
  drop(key: FormKey): void;
}
