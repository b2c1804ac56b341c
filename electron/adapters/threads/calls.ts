/** The functions of a thread, as whoever calls it sees them: the same, answered later. */
export type Later<Functions> = {
  readonly [Name in keyof Functions]: (
    ...asked: Asked<Functions[Name]>
  ) => Promise<Answered<Functions[Name]>>;
};

export type Asked<Run> = Run extends (...asked: infer Values) => unknown ? Values : never;
export type Answered<Run> = Run extends (...asked: never[]) => infer Value ? Awaited<Value> : never;

/** Of a thread whose calls are named by somebody else. */
export type AnyFunctions = Record<string, (...asked: unknown[]) => unknown>;

/** Answers a call by its name: in a thread, or on the loop that asks. */
type Answer = (name: string, asked: unknown[]) => unknown;

/**
 * Functions by these names, each of which goes through `answer`.
 * @param names a table that cannot lack one: `{ list: true, count: true }`
 */
export function callsTo<Functions extends object>(
  names: Readonly<Record<keyof Functions, true>>,
  answer: Answer,
): Later<Functions> {
  const calls = Object.keys(names).map((name) => [
    name,
    async (...asked: unknown[]) => answer(name, asked),
  ]);
  return Object.fromEntries(calls) as Later<Functions>;
}

/** Answers on the loop that asks. */
export const answerBy =
  (functions: object): Answer =>
  (name, asked) =>
    (functions as AnyFunctions)[name]?.(...asked);
