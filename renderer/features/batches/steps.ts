/** Steps of a batch in order; the user can return to each of them. */
export const stepNames = ['file', 'columns', 'check', 'review', 'send'] as const;
export type StepName = (typeof stepNames)[number];
