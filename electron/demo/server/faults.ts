import type { Answer, Exchange } from './http.ts';
import { encode, json } from './http.ts';

/** A fault of a request. `commits`: whether the service carries the request out anyway. */
export type FaultAction =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly contentType?: string;
      readonly commits?: boolean;
    }
  /** The connection breaks before the request is carried out. */
  | { readonly kind: 'reset-before' }
  | { readonly kind: 'reset-during' }
  /** The request is carried out; the response is lost. */
  | { readonly kind: 'reset-after' }
  /** No response is ever sent. */
  | { readonly kind: 'hang'; readonly commits?: boolean }
  /**
   * The response is correct but late: the service waits before or after it carries out the request.
   */
  | { readonly kind: 'delay'; readonly ms: number; readonly when?: 'before' | 'after' }
  /** The request is carried out; the response is sent in pieces of `bytes`, with pauses. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** The request is carried out; Content-Length differs from the real length by `by` bytes. */
  | { readonly kind: 'wrong-length'; readonly by: number }
  /** The request is carried out; the response has the correct body and a wrong content type. */
  | { readonly kind: 'wrong-type'; readonly contentType: string }
  /** The response is lost, and the request is carried out later. */
  | { readonly kind: 'late-commit'; readonly ms: number }
  /** The response is a login page with status 200 instead of JSON. */
  | { readonly kind: 'html'; readonly commits?: boolean }
  /**
   * The request is carried out; the response has half of its body and no Content-Length, and the
   * connection is closed normally.
   */
  | { readonly kind: 'cut-json' }
  /**
   * The request is carried out; the response has the full Content-Length, but the connection breaks
   * after this fraction of the body (0 to 1).
   */
  | { readonly kind: 'cut-body'; readonly fraction: number }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'mutate'; readonly change: (json: unknown) => unknown }
  | { readonly kind: 'unauthorized' };

export interface Fault {
  /** HTTP method; default: any method. */
  readonly method?: string;
  /** Pattern of the path and query as sent. */
  readonly path: RegExp;
  /** Number of requests that the fault affects; default 1. */
  readonly times?: number;
  readonly do: FaultAction;
}

export type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'reset' }
  | { readonly kind: 'silence' }
  | {
      readonly kind: 'cut';
      readonly answer: Answer;
      readonly fraction: number;
      readonly announced: boolean;
    }
  | {
      readonly kind: 'drip';
      readonly answer: Answer;
      readonly bytes: number;
      readonly everyMs: number;
    }
  | { readonly kind: 'misdeclared'; readonly answer: Answer; readonly by: number };

interface PlantedFault {
  readonly fault: Fault;
  hits: number;
  isCleared: boolean;
}

export type ChooseFault = (request: FaultRequest) => FaultAction | null;

/** The properties of a request by which its fault is chosen. */
export interface FaultRequest {
  readonly method: string;
  readonly url: string;
}

/**
 * Faults that wait for their requests; if several match a request, the one planted first is used.
 */
export class FaultBoard {
  readonly #planted: PlantedFault[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();

  /** Chooses the fault of every request without a planted one; null means no fault. */
  choose: ChooseFault = () => null;
  /** Called when a request's head has arrived, before its body is read. */
  arriving: (request: FaultRequest) => void = () => undefined;

  plant(fault: Fault): { readonly hits: () => number; clear(): void } {
    const planted: PlantedFault = { fault, hits: 0, isCleared: false };
    this.#planted.push(planted);
    return {
      hits: () => planted.hits,
      clear: () => {
        planted.isCleared = true;
      },
    };
  }

  async run(
    request: Pick<Exchange, 'method'> & { url: string },
    carryOut: () => Promise<Answer>,
  ): Promise<Outcome> {
    const planted = this.#planted.find(
      ({ fault, hits, isCleared }) =>
        !isCleared &&
        hits < (fault.times ?? 1) &&
        (fault.method ?? request.method) === request.method &&
        request.url.search(fault.path) !== -1,
    );
    if (planted === undefined) {
      const chosen = this.choose(request);
      if (chosen !== null) return this.#act(chosen, carryOut);
      return { kind: 'answer', answer: await carryOut() };
    }
    planted.hits += 1;
    return this.#act(planted.fault.do, carryOut);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #act(action: FaultAction, carryOut: () => Promise<Answer>): Promise<Outcome> {
    switch (action.kind) {
      case 'reset-before':
        return { kind: 'reset' };
      case 'reset-after':
        await carryOut();
        return { kind: 'reset' };
      case 'hang':
        if (action.commits === true) await carryOut();
        return { kind: 'silence' };
      case 'reset-during':
        void carryOut();
        return { kind: 'reset' };
      case 'delay':
        return { kind: 'answer', answer: await this.#late(action, carryOut) };
      case 'drip':
        return { ...action, answer: await carryOut() };
      case 'wrong-length':
        return { kind: 'misdeclared', answer: await carryOut(), by: action.by };
      case 'wrong-type':
        return { kind: 'answer', answer: withContentType(action.contentType, await carryOut()) };
      case 'late-commit':
        this.#later(action.ms, () => void carryOut());
        return { kind: 'reset' };
      case 'cut-json':
        return { kind: 'cut', answer: await carryOut(), fraction: 0.5, announced: false };
      case 'cut-body':
        return {
          kind: 'cut',
          answer: await carryOut(),
          fraction: action.fraction,
          announced: true,
        };
      case 'status':
      case 'html':
        if (action.commits === true) await carryOut();
        return { kind: 'answer', answer: faultyAnswer(action) };
      case 'redirect':
      case 'unauthorized':
        return { kind: 'answer', answer: faultyAnswer(action) };
      case 'mutate':
        return { kind: 'answer', answer: mutateJson(await carryOut(), action.change) };
    }
  }

  async #late(
    { ms, when = 'before' }: Extract<FaultAction, { kind: 'delay' }>,
    carryOut: () => Promise<Answer>,
  ): Promise<Answer> {
    const wait = () =>
      new Promise<void>((resolve) => {
        this.#later(ms, resolve);
      });
    if (when === 'before') await wait();
    const answer = await carryOut();
    if (when === 'after') await wait();
    return answer;
  }

  #later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms).unref();
    this.#timers.add(timer);
  }
}

type ReplacingFault = Extract<
  FaultAction,
  { kind: 'status' | 'html' | 'redirect' | 'unauthorized' }
>;

function faultyAnswer(action: ReplacingFault): Answer {
  switch (action.kind) {
    case 'status':
      return {
        ...htmlPageAnswer(action.contentType ?? 'application/json', action.body ?? ''),
        status: action.status,
        headers: action.headers ?? {},
      };
    case 'html':
      return htmlPageAnswer(
        'text/html; charset=utf-8',
        '<!doctype html><title>Log in</title><h1>Log in to the network</h1>',
      );
    case 'redirect':
      return {
        ...htmlPageAnswer('text/plain', ''),
        status: action.status,
        headers: { Location: action.location },
      };
    case 'unauthorized':
      return json({ errors: [{ status: '401', title: 'Unauthorized' }] }, { status: 401 });
  }
}

function htmlPageAnswer(type: string, body: string): Answer {
  return { status: 200, headers: {}, content: { kind: 'bytes', type, bytes: Buffer.from(body) } };
}

function withContentType(type: string, answer: Answer): Answer {
  return { ...answer, content: { kind: 'bytes', type, bytes: encode(answer.content).bytes } };
}

/**
 * Changes the JSON of a response. `change` gets a copy, so that it cannot modify the service's own
 * records.
 */
function mutateJson(answer: Answer, change: (json: unknown) => unknown): Answer {
  if (answer.content.kind !== 'json') return answer;
  return {
    ...answer,
    content: { kind: 'json', value: change(structuredClone(answer.content.value)) },
  };
}
