import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Position at which a link breaks: words in the request, and the part that is transferred. */
export interface Cut {
  readonly at: string;
  /** Share of the request that arrives: from none (0) to all but the last byte (1). */
  readonly question: number;
  /** Share of the answer that arrives; null if the link breaks within the request. */
  readonly answer: number | null;
}

/** A TCP proxy to a server that delays, breaks, or drops traffic. */
export interface Link {
  readonly port: number;
  /** Delay of bytes, in both directions. */
  delayMs: number;
  /** Drops traffic without an error. */
  isSilent: boolean;
  /** Breaks the connection of the next request that contains these words. */
  cutAt(cut: Cut): void;
  /** Whether a request with the words of `cutAt` has arrived. */
  readonly wasCut: boolean;
  /** Called with a request before it is forwarded. */
  asked: (question: Buffer) => void;
  /** Returns replacement data for an answer. */
  answered: (answer: Buffer) => Buffer;
  /** Breaks all connections now. */
  cut(): void;
  close(): Promise<void>;
}

export async function layLink(target: {
  readonly host: string;
  readonly port: number;
}): Promise<Link> {
  const pairs = new Set<Pair>();
  let next: Cut | null = null;
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ ...target, noDelay: true });
    const pair = new Pair(near, far, { link, takeCut });
    pairs.add(pair);
    pair.ended.then(() => pairs.delete(pair)).catch(() => undefined);
  });
  const takeCut = (chunk: Buffer): Cut | null => {
    if (next === null || !chunk.includes(next.at)) return null;
    const taken = next;
    next = null;
    link.wasCut = true;
    return taken;
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const link = {
    port: isTcp(address) ? address.port : 0,
    delayMs: 0,
    isSilent: false,
    asked: (_question: Buffer): void => undefined,
    answered: (answer: Buffer): Buffer => answer,
    wasCut: false,
    cutAt(cut: Cut): void {
      next = cut;
      link.wasCut = false;
    },
    cut(): void {
      for (const pair of pairs) pair.cut();
    },
    async close(): Promise<void> {
      link.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return link;
}

const isTcp = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

interface PairPorts {
  readonly link: Pick<Link, 'delayMs' | 'isSilent' | 'asked' | 'answered'>;
  readonly takeCut: (chunk: Buffer) => Cut | null;
}

/** One connection: the socket of the client, and the one to the server. */
class Pair {
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #ports: PairPorts;
  /** Share of the next answer that arrives before the break; null if all of it arrives. */
  #answer: number | null = null;
  readonly ended: Promise<unknown>;

  constructor(near: Socket, far: Socket, ports: PairPorts) {
    this.#near = near;
    this.#far = far;
    this.#ports = ports;
    this.ended = Promise.all([once(near, 'close'), once(far, 'close')]);
    for (const socket of [near, far]) {
      socket.on('error', () => undefined);
      socket.on('close', () => this.cut());
    }
    near.on('data', (chunk) => this.#ask(chunk));
    far.on('data', (chunk) => this.#reply(chunk));
  }

  cut(): void {
    this.#near.destroy();
    this.#far.destroy();
  }

  #ask(chunk: Buffer): void {
    this.#ports.link.asked(chunk);
    const cut = this.#ports.takeCut(chunk);
    if (cut?.answer === null) {
      const part = partOf(chunk, cut.question);
      // Data in flight arrives; after it, the server sees the end of the connection.
      this.#far.end(part);
      this.#near.destroy();
      return;
    }
    if (cut !== null) this.#answer = cut.answer;
    this.#pass(this.#far, chunk);
  }

  #reply(chunk: Buffer): void {
    if (this.#answer === null) {
      this.#pass(this.#near, this.#ports.link.answered(chunk));
      return;
    }
    this.#near.end(partOf(chunk, this.#answer));
    this.#far.destroy();
  }

  #pass(to: Socket, chunk: Buffer): void {
    const { isSilent, delayMs } = this.#ports.link;
    if (isSilent) return;
    if (delayMs === 0) to.write(chunk);
    else setTimeout(() => to.destroyed || to.write(chunk), delayMs);
  }
}

/** Returns this share of the bytes, without the last one. */
const partOf = (chunk: Buffer, part: number): Buffer =>
  chunk.subarray(0, Math.min(Math.ceil(chunk.length * part), chunk.length - 1));
