import type { Answer, Exchange } from './http.ts';
import { encode, json } from './http.ts';

/** What goes wrong with a request. `commits` tells whether the service carries it out all the same. */
export type FaultAction =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly contentType?: string;
      readonly commits?: boolean;
    }
  /** The connection breaks and nothing has happened. */
  | { readonly kind: 'reset-before' }
  /** The connection breaks while it is carried out. */
  | { readonly kind: 'reset-during' }
  /** Carried out; the answer is lost. */
  | { readonly kind: 'reset-after' }
  /** No answer ever comes. */
  | { readonly kind: 'hang'; readonly commits?: boolean }
  /** Everything is right, only late: it waits before it is carried out, or after that. */
  | { readonly kind: 'delay'; readonly ms: number; readonly when?: 'before' | 'after' }
  /** Carried out; the answer comes in pieces of so many bytes, with pauses between them. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** Carried out; Content-Length says so many bytes more than there are, or fewer. */
  | { readonly kind: 'wrong-length'; readonly by: number }
  /** Carried out; the right body, called something else. */
  | { readonly kind: 'wrong-type'; readonly contentType: string }
  /** The answer is lost, and the request carried out only later. */
  | { readonly kind: 'late-commit'; readonly ms: number }
  /** 200 with a login page instead of JSON. */
  | { readonly kind: 'html'; readonly commits?: boolean }
  /** Carried out; half of the body, no Content-Length, connection closed in good order. */
  | { readonly kind: 'cut-json' }
  /** Carried out; the full Content-Length, but the connection breaks at this part (0 to 1). */
  | { readonly kind: 'cut-body'; readonly fraction: number }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  /** Carried out; the JSON of the answer is changed. */
  | { readonly kind: 'mutate'; readonly change: (json: unknown) => unknown }
  | { readonly kind: 'unauthorized' };

export interface Fault {
  /** Any method when absent. */
  readonly method?: string;
  /** Tried against path and query as they came. */
  readonly path: RegExp;
  /** How many requests it hits; 1 when absent. */
  readonly times?: number;
  readonly do: FaultAction;
}

/** What the server does in the end with one connection. */
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

interface Planted {
  readonly fault: Fault;
  hits: number;
  isCleared: boolean;
}

export type ChooseFault = (request: FaultRequest) => FaultAction | null;

/** A request as a fault is chosen for it. */
export interface FaultRequest {
  readonly method: string;
  readonly url: string;
}

/** The faults waiting for their requests; the first that fits is used up first. */
export class FaultBoard {
  readonly #planted: Planted[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();

  /** Asked for every request that no planted fault fits; null: nothing goes wrong with it. */
  choose: ChooseFault = () => null;
  /** Told when the head of a request has come, and nothing of its body was read. */
  arriving: (request: FaultRequest) => void = () => undefined;

  plant(fault: Fault): { readonly hits: () => number; clear(): void } {
    const planted: Planted = { fault, hits: 0, isCleared: false };
    this.#planted.push(planted);
    return {
      hits: () => planted.hits,
      clear: () => {
        planted.isCleared = true;
      },
    };
  }

  /** Runs a request under the fault that fits it, if any. */
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
        return { kind: 'answer', answer: called(action.contentType, await carryOut()) };
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
        return { kind: 'answer', answer: wrongAnswer(action) };
      case 'redirect':
      case 'unauthorized':
        return { kind: 'answer', answer: wrongAnswer(action) };
      case 'mutate':
        return { kind: 'answer', answer: mutate(await carryOut(), action.change) };
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

type Replacing = Extract<FaultAction, { kind: 'status' | 'html' | 'redirect' | 'unauthorized' }>;

function wrongAnswer(action: Replacing): Answer {
  switch (action.kind) {
    case 'status':
      return {
        ...page(action.contentType ?? 'application/json', action.body ?? ''),
        status: action.status,
        headers: action.headers ?? {},
      };
    case 'html':
      return page(
        'text/html; charset=utf-8',
        '<!doctype html><title>Log in</title><h1>Log in to the network</h1>',
      );
    case 'redirect':
      return {
        ...page('text/plain', ''),
        status: action.status,
        headers: { Location: action.location },
      };
    case 'unauthorized':
      return json({ errors: [{ status: '401', title: 'Unauthorized' }] }, { status: 401 });
  }
}

function page(type: string, body: string): Answer {
  return { status: 200, headers: {}, content: { kind: 'bytes', type, bytes: Buffer.from(body) } };
}

function called(type: string, answer: Answer): Answer {
  return { ...answer, content: { kind: 'bytes', type, bytes: encode(answer.content).bytes } };
}

/** The change gets a copy, so that it cannot reach the service's own records. */
function mutate(answer: Answer, change: (json: unknown) => unknown): Answer {
  if (answer.content.kind !== 'json') return answer;
  return {
    ...answer,
    content: { kind: 'json', value: change(structuredClone(answer.content.value)) },
  };
}
