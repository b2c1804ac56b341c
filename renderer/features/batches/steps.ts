/** The way of a batch, in order; each can be gone back to. */
export const stepNames = ['file', 'columns', 'check', 'review', 'send'] as const;
export type StepName = (typeof stepNames)[number];
