/** Functions of a thread as the caller sees them: with the same arguments, but asynchronous. */
export type AsyncFunctions<Functions> = {
  readonly [Name in keyof Functions]: (
    ...asked: CallArguments<Functions[Name]>
  ) => Promise<CallResult<Functions[Name]>>;
};

export type CallArguments<Run> = Run extends (...asked: infer Values) => unknown ? Values : never;
export type CallResult<Run> = Run extends (...asked: never[]) => infer Value
  ? Awaited<Value>
  : never;

/** Functions of a thread whose names are not known to the type system. */
export type AnyFunctions = Record<string, (...asked: unknown[]) => unknown>;

/** Runs a call by its name: in a thread, or on the calling loop. */
type AnswerCall = (name: string, asked: unknown[]) => unknown;

/**
 * Returns functions with these names, each of which calls `answer`.
 * @param names a table with every name: `{ list: true, count: true }`
 */
export function callsTo<Functions extends object>(
  names: Readonly<Record<keyof Functions, true>>,
  answer: AnswerCall,
): AsyncFunctions<Functions> {
  const calls = Object.keys(names).map((name) => [
    name,
    async (...asked: unknown[]) => answer(name, asked),
  ]);
  return Object.fromEntries(calls) as AsyncFunctions<Functions>;
}

/** Runs calls on the calling loop. */
export const answerBy =
  (functions: object): AnswerCall =>
  (name, asked) =>
    (functions as AnyFunctions)[name]?.(...asked);
