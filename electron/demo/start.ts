import { performAct, type ForeignAct } from './events/acts.ts';
import { colleagueToken, company, credentials } from './state/account.ts';
import { defaultBehaviour, type Behaviour } from './server/behaviour.ts';
import { FaultBoard, type ChooseFault, type Fault, type FaultRequest } from './server/faults.ts';
import type { Answer, Exchange } from './server/http.ts';
import { LaggingList } from './state/lagging-list.ts';
import { DueEventProcessor } from './events/passing-time.ts';
import { StateFile } from './state/persist.ts';
import { PRESIGNED_PREFIX, PresignedLinks } from './state/presigned.ts';
import { dispatch } from './server/router.ts';
import { seedStory } from './story/seed.ts';
import { listen, type DemoRequest } from './server/server.ts';
import type { Service } from './state/service.ts';
import { SignedPdfs } from './state/signed-pdfs.ts';
import { Store } from './state/store.ts';
import { v1Api } from './v1/api.ts';
import type { AgreementState } from './state/record-v1.ts';
import { v2Api } from './v2/api.ts';
import type { LegacyStatus } from './state/record-v2.ts';

export interface DemoOptions {
  /** Folder for the stored state; null keeps the state in memory. */
  readonly dataDir: string | null;
  /** 32 bytes that encrypt the state file (AES-256-GCM); required with `dataDir`. */
  readonly stateKey?: Uint8Array;
  /** Port to listen on; 0, the default, means any free port. */
  readonly port?: number;
  /** Returns the current time (epoch ms). */
  readonly now?: () => number;
  /**
   * Initial content: 'full' is the story; with a number, the story and that many generated
   * agreements per API.
   */
  readonly seed?: 'full' | 'none' | number;
  /** Delay before the other parties act automatically (ms); null for never. */
  readonly counterpartDelayMs?: number | null;
  /** Differences from the usual behaviour where the API documentation is unclear. */
  readonly behaviour?: Partial<Behaviour>;
}

export interface Demo {
  /** `{base_url}` of v1, without a trailing slash. */
  readonly v1Url: string;
  /** `{base_url_v2}` of v2, without a trailing slash. */
  readonly v2Url: string;
  readonly credentials: {
    readonly token: string;
    readonly accessKey: string;
    readonly accountId: string;
  };
  /** Token of another user of the company, who sees only their own and shared agreements (v1). */
  readonly colleagueToken: string;
  readonly company: { readonly name: string; readonly orgNo: string };
  /** Requests, the newest last; at most 10,000. */
  readonly requests: readonly DemoRequest[];
  readonly agreements: {
    v1(): readonly {
      readonly id: string;
      readonly title: string;
      readonly state: AgreementState;
      readonly tags: Readonly<Record<string, string>>;
    }[];
    v2(): readonly {
      readonly referenceNumber: string;
      readonly name: string;
      readonly status: LegacyStatus;
    }[];
  };
  /**
   * Sets the function that chooses the fault of every further request; `arriving` is called before
   * the body of each request is read.
   */
  weather(choose: ChooseFault, arriving?: (request: FaultRequest) => void): void;
  fault(fault: Fault): { readonly hits: () => number; clear(): void };
  /** Lets the other parties act on an agreement now, or lets time pass for it. */
  act(api: 'v1' | 'v2', id: string, what: ForeignAct): void;
  /** Resolves when no connection is open and everything is on disk; may be called again. */
  close(): Promise<void>;
}

const COUNTERPART_DELAY_MS = 20_000;

/**
 * Starts both agreement APIs on one loopback port.
 * @throws StateFileError if the state file cannot be decrypted with `stateKey`.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const service = createService(options);
  const { store, now, listed } = service;
  const file = await openState(options, service);
  listed.v1.start();
  listed.v2.start();
  store.onChange(() => {
    listed.v1.note();
    listed.v2.note();
  });
  const time = new DueEventProcessor(service);
  const faults = new FaultBoard();
  const handle = async (exchange: Exchange): Promise<Answer> => {
    time.catchUp();
    if (exchange.path.startsWith(`${PRESIGNED_PREFIX}/`)) return service.links.answer(exchange);
    return dispatch([v1Api, v2Api], exchange, service);
  };
  const server = await listen({ port: options.port ?? 0, now, faults, handle });
  const close = async (): Promise<void> => {
    await server.close();
    faults.stop();
    time.stop();
    await file?.flush();
  };
  let closing: Promise<void> | undefined;
  return {
    v1Url: `${server.origin}${v1Api.prefix}`,
    v2Url: `${server.origin}${v2Api.prefix}`,
    credentials,
    colleagueToken,
    company,
    requests: server.requests,
    agreements: listBoth(store, time),
    weather: (choose, arriving = () => undefined) => {
      faults.choose = choose;
      faults.arriving = arriving;
    },
    fault: (fault) => faults.plant(fault),
    act: (api, id, what) => {
      performAct(service, api, id, what);
    },
    close: () => (closing ??= close()),
  };
}

function createService(options: DemoOptions): Service {
  const now = options.now ?? Date.now;
  const store = new Store(now);
  const behaviour = { ...defaultBehaviour, ...options.behaviour };
  const { listLagMs } = behaviour;
  const listed = {
    v1: new LaggingList(store.agreements, now, listLagMs),
    v2: new LaggingList(store.legacy, now, listLagMs),
  };
  return {
    store,
    now,
    behaviour,
    listed,
    counterpartDelayMs:
      options.counterpartDelayMs === undefined ? COUNTERPART_DELAY_MS : options.counterpartDelayMs,
    links: new PresignedLinks(store, now),
    pdfs: new SignedPdfs(store),
  };
}

/** Loads the stored state, or plays the story from its beginning. */
async function openState(options: DemoOptions, service: Service): Promise<StateFile | null> {
  const { store } = service;
  const file = options.dataDir === null ? null : stateFile(options.dataDir, options, store);
  const isKnown = (await file?.load()) ?? false;
  file?.schedule();
  store.onChange(() => file?.schedule());
  if (!isKnown) await seedStory(service, options.seed ?? 'full');
  return file;
}

function stateFile(folder: string, { stateKey }: DemoOptions, store: Store): StateFile {
  if (stateKey === undefined) throw new RangeError('A data folder needs a state key.');
  return new StateFile(folder, stateKey, store);
}

function listBoth(store: Store, time: DueEventProcessor): Demo['agreements'] {
  return {
    v1: () => {
      time.catchUp();
      return [...store.agreements.values()].map(({ id, title, state, tags }) => ({
        id,
        title,
        state,
        tags,
      }));
    },
    v2: () => {
      time.catchUp();
      return [...store.legacy.values()].map(({ referenceNumber, name, status }) => ({
        referenceNumber,
        name,
        status,
      }));
    },
  };
}
