/** Path in a request body, for example `['parties', 0, 'email']`. */
export type Path = readonly (string | number)[];

export type ProblemKind =
  | 'type'
  | 'unknown-field'
  | 'required'
  | 'format'
  | 'choice'
  | 'length'
  | 'range'
  | 'not-applicable'
  | 'conflict'
  | 'unknown-id'
  | 'size'
  | 'content';

export interface Problem {
  readonly path: Path;
  readonly kind: ProblemKind;
  /** Explanation for the developer of the client, an English sentence. */
  readonly detail: string;
}

/** A request that the service rejects; each API has its own error format. */
export class Refusal extends Error {
  readonly status: number;
  readonly problems: readonly Problem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    detail: string,
    more: { problems?: readonly Problem[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail);
    this.name = 'Refusal';
    this.status = status;
    this.problems = more.problems ?? [];
    this.headers = more.headers ?? {};
  }
}

/** Whether a problem concerns the body's shape, which v1 separates from problems of fields. */
export function isContractProblem(problem: Problem): boolean {
  return problem.kind === 'type' || problem.kind === 'unknown-field';
}
