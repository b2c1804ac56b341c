import * as z from 'zod';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { sendElsewhere } from '../send-elsewhere.ts';
import { type Life } from './lives.ts';
import { ruleOfLife } from './rules.ts';
import { type Request, type TrueAgreement, type TrueParty, Truth } from './truth.ts';

/** The current caller of the service, and the results of its next reminders. */
export interface Asking {
  readonly desk: number;
  /** Time of the calling computer's clock (epoch ms). */
  readonly deskAt: number;
  readonly isByHand: boolean;
  /** Fault of a reminder request that reached the service. */
  readonly mishap: () => 'lost' | 'refused' | 'killed' | 'killed-unheard' | null;
  /** Called for each reminder request. */
  readonly heard?: (request: Request) => void;
}

const NOTIFY = /\/agreements\/([^/]+)\/parties\/([^/]+)\/notifications\/[^/]+\/notify$/;

const stamp = z.string().transform((text) => {
  const [year, month, day, hour, minute, second] = text.match(/\d\d/g)?.slice(1) ?? [];
  return Date.parse(
    `20${String(year)}-${String(month)}-${String(day)}T${String(hour)}:${String(minute)}:${String(second)}Z`,
  );
});
const Reply = z.object({
  data: z.object({
    id: z.string(),
    state: z.string(),
    createdOn: stamp,
    expireOn: stamp.optional(),
    parties: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        firstName: z.string().optional(),
        lastName: z.string().optional(),
        name: z.string().optional(),
        email: z.string().optional(),
        mobile: z.string().optional(),
        country: z.string().optional(),
        signingOrder: z.number(),
        state: z.string(),
        rejectionResult: z.object({ reason: z.string() }).optional(),
        notifications: z.array(z.object({ type: z.string(), sendOn: stamp.optional() })),
      }),
    ),
  }),
});
type Shown = z.infer<typeof Reply>['data'];
const INCLUDE = 'parties,parties.notifications,parties.rejectionResult';

const states: Readonly<Record<string, TrueParty['state']>> = {
  WAITING_TO_SIGN: 'waiting',
  READY_TO_SIGN: 'turn',
  SIGNED: 'signed',
  REJECTED: 'rejected',
};

/** The shared service, and all requests that it receives. */
export class SharedService {
  readonly demo: Demo;
  readonly truth = new Truth();
  readonly #now: () => number;
  /** Whether every request fails, as if the service were unreachable. */
  isDown = false;
  asking: Asking | null = null;
  #reading: (() => void) | null = null;
  /** The last request that was counted. */
  #seen: Demo['requests'][number] | null = null;
  #logged = 0;

  private constructor(demo: Demo, now: () => number) {
    this.demo = demo;
    this.#now = now;
    demo.weather((request) => {
      this.#reading?.();
      if (this.isDown) return { kind: 'reset-before' };
      const [, id = '', partyId = ''] = NOTIFY.exec(request.url) ?? [];
      return id === '' ? null : this.#remind(id, partyId);
    });
  }

  /**
   * Number of reminder requests in the service's log, which contains the last 10,000 requests of
   * all kinds.
   */
  logged(): number {
    const { requests } = this.demo;
    const last = requests.at(-1);
    for (const request of requests.toReversed()) {
      if (request === this.#seen) break;
      if (NOTIFY.test(request.url)) this.#logged += 1;
    }
    this.#seen = last ?? null;
    return this.#logged;
  }

  /** Resolves at the next request. */
  waitForReading(): Promise<void> {
    return new Promise((resolve) => {
      this.#reading = () => {
        this.#reading = null;
        resolve();
      };
    });
  }

  static async start(now: () => number): Promise<SharedService> {
    const demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null, now });
    return new SharedService(demo, now);
  }

  /** Creates an agreement as another program of the office does; returns its ID. */
  create(body: object): Promise<string> {
    return sendElsewhere(this.demo, body);
  }

  /** Records a new agreement in the expected state. */
  async enter(id: string, life: Life): Promise<void> {
    const shown = await this.#read(id);
    this.truth.agreements.set(id, {
      id,
      life,
      rule: ruleOfLife(life),
      sentAt: shown.createdOn,
      expiresAt: shown.expireOn ?? null,
      parties: shown.parties.map(partyOf),
      lastSignedAt: null,
      ended: null,
    });
  }

  /** Performs an action of another party, or of the owner. */
  async act(agreement: TrueAgreement, what: 'sign-one' | 'reject' | 'revoke'): Promise<void> {
    if (agreement.ended !== null) return;
    const at = this.#now();
    this.demo.act('v1', agreement.id, what);
    const { state, parties } = await this.#read(agreement.id);
    for (const party of agreement.parties) {
      const shown = parties.find(({ id }) => id === party.id);
      const now = states[shown?.state ?? ''] ?? party.state;
      if (now === 'signed' && party.state !== 'signed') agreement.lastSignedAt = at;
      party.state = now;
      party.reason = shown?.rejectionResult?.reason ?? null;
    }
    const as = { SIGNED_BY_ALL: 'signed', REJECTED: 'rejected', REVOKED: 'revoked' } as const;
    if (state in as) agreement.ended = { as: as[state as keyof typeof as], at };
  }

  async #read(id: string): Promise<Shown> {
    const response = await fetch(`${this.demo.v1Url}/v1/agreements/${id}?include=${INCLUDE}`, {
      headers: { Authorization: `Token ${this.demo.credentials.token}` },
    });
    return Reply.parse(await response.json()).data;
  }

  #remind(id: string, partyId: string) {
    const agreement = this.truth.agreements.get(id);
    const party = agreement?.parties.find((one) => one.id === partyId);
    if (agreement === undefined || party === undefined || this.asking === null) {
      throw new Error(`A reminder that nobody asked for: ${id}`);
    }
    const { deskAt, isByHand, mishap, heard, desk } = this.asking;
    if (agreement.life.desk !== desk) throw new Error(`Another desk's: ${agreement.life.title}`);
    const what = isByHand ? null : mishap();
    const end = what === null ? 'done' : what === 'refused' ? 'refused' : 'unknown';
    const at = this.#now();
    heard?.(this.truth.note({ agreement, party, at, deskAt, isByHand, end }));
    switch (what) {
      case 'lost':
        return { kind: 'reset-after' } as const;
      case 'refused':
        return { kind: 'status', status: 400, body: '{}' } as const;
      case 'killed':
        return { kind: 'hang', commits: true } as const;
      case 'killed-unheard':
        return { kind: 'hang' } as const;
      case null:
        return null;
    }
  }
}

function partyOf(shown: Shown['parties'][number]): TrueParty {
  const { id, type, email = '', mobile = null, country = null, signingOrder, state } = shown;
  const times = shown.notifications
    .filter((one) => one.type === 'EXPIRY_REMINDER')
    .flatMap(({ sendOn }) => sendOn ?? []);
  const name = shown.name ?? `${shown.firstName ?? ''} ${shown.lastName ?? ''}`;
  return {
    id,
    name,
    isOurs: type === 'MY_COMPANY',
    country,
    mobile,
    order: signingOrder,
    email,
    state: states[state] ?? 'waiting',
    reason: null,
    serviceTimes: times,
  };
}
