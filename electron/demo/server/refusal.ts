/** Where in a request body: `['parties', 0, 'email']`. */
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
  /** An English sentence for the developer of the client. */
  readonly detail: string;
}

/** A request the service does not carry out; each API writes it in its own error form. */
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

/** Problems with the shape of a body, which v1 tells apart from problems with its fields. */
export function isContractProblem(problem: Problem): boolean {
  return problem.kind === 'type' || problem.kind === 'unknown-field';
}
