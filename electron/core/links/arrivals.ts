import type { ReceivedItem } from '../../../shared/contract/links.ts';
import type { Emit, HandlersOf } from '../../../shared/contract/index.ts';
import { readLink } from '../../../shared/rules/links/link.ts';
import type { ByteExchange } from '../host-ports.ts';

/**
 * A link or file that a host received to open; files are read immediately, since a mail program may
 * remove them.
 */
export type StartupItem =
  | { readonly kind: 'link'; readonly text: string }
  | { readonly kind: 'file'; readonly name: string; readonly data: Uint8Array }
  | { readonly kind: 'no-file'; readonly name: string };

/** More than a user opens before looking; limits a flood of links. */
const MAX_WAITING = 20;
/** Maximum bytes of all waiting files: the limit of a draft. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

interface ArrivalPorts {
  readonly bytes: Pick<ByteExchange, 'put'>;
  readonly emit: Emit;
}

/** Holds links and files until the data is open and a page can show them. */
export class Arrivals {
  readonly #ports: ArrivalPorts;
  readonly #waiting: StartupItem[] = [];

  constructor(ports: ArrivalPorts) {
    this.#ports = ports;
  }

  readonly handlers: HandlersOf<'links'> = {
    'links.next': async () => {
      const first = this.#waiting.shift();
      const arrival = first === undefined ? null : this.#show(first);
      return { arrival, left: this.#waiting.length };
    },
  };

  add(given: StartupItem): void {
    if (this.#waiting.length === MAX_WAITING) return;
    const isTooMuch =
      given.kind === 'file' && this.#bytes() + given.data.length > MAX_WAITING_BYTES;
    this.#waiting.push(isTooMuch ? { kind: 'no-file', name: given.name } : given);
    this.#ports.emit('links.arrived', {});
  }

  #bytes(): number {
    const sizes = this.#waiting.map((one) => (one.kind === 'file' ? one.data.length : 0));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  #show(given: StartupItem): ReceivedItem {
    switch (given.kind) {
      case 'link':
        return { kind: 'link', link: readLink(given.text) };
      case 'file':
        return { kind: 'file', name: given.name, bytes: this.#ports.bytes.put(given.data) };
      case 'no-file':
        return given;
    }
  }
}
