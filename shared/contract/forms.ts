import * as z from 'zod';
import { call } from './call.ts';

/** A form, and the ID of the item that it changes or `new`; for example `person:new`. */
export const FormKey = z.string().regex(/^[a-z-]{1,40}:[\w-]{1,100}$/);
export type FormKey = z.infer<typeof FormKey>;

/** Text typed into a form that was neither saved nor cancelled. */
export const UnsavedForm = z.object({
  key: FormKey,
  /** JSON of the form's values; its shape belongs to the form. */
  content: z.string().max(1_000_000),
});
export type UnsavedForm = z.infer<typeof UnsavedForm>;

/** Texts of a form by the names of its fields. */
export const FormTexts = z.record(z.string(), z.string());

export const formCalls = {
  /** Returns the unsaved forms of the last 30 days. */
  'forms.list': call(z.object({}), z.array(UnsavedForm)),
  /** Stores an unsaved form; null removes it, after it was saved or cancelled. */
  'forms.keep': call(
    UnsavedForm.extend({ content: UnsavedForm.shape.content.nullable() }),
    z.object({}),
  ),
} as const;
