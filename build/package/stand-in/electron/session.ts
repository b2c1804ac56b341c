import { noted, StrictEmitter } from './strict.ts';

interface Scheme {
  readonly scheme: string;
  readonly privileges: Readonly<Record<string, boolean>>;
}

type ProtocolHandler = (request: Request) => Promise<Response>;
type RequestFilter = (
  details: { readonly url: string; readonly method: string },
  answer: (verdict: { readonly cancel?: boolean }) => void,
) => void;

/** Privileges that the scheme of our page needs: its own origin, workers and `fetch`. */
const REQUIRED_PRIVILEGES = ['standard', 'secure', 'supportFetchAPI'];

/** The schemes that the program registered in time. */
export const schemes: Scheme[] = [];

/**
 * Handles a page's requests: if the program's filter does not cancel a request, the program's own
 * handler answers it.
 */
export class StandInSession extends StrictEmitter {
  readonly #answers = new Map<string, ProtocolHandler>();
  #judge: RequestFilter | undefined;
  readonly setPermissionRequestHandler = noted('setPermissionRequestHandler', undefined);
  readonly setPermissionCheckHandler = noted('setPermissionCheckHandler', undefined);
  readonly setDevicePermissionHandler = noted('setDevicePermissionHandler', undefined);
  readonly setBluetoothPairingHandler = noted('setBluetoothPairingHandler', undefined);

  constructor() {
    super('session', [
      ...['select-usb-device', 'select-hid-device', 'select-serial-port', 'will-download'],
    ]);
  }

  readonly protocol = {
    handle: (scheme: string, answer: ProtocolHandler): void => {
      if (this.#answers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
      this.#answers.set(scheme, answer);
    },
  };

  readonly webRequest = {
    onBeforeRequest: (judge: RequestFilter): void => {
      this.#judge = judge;
    },
  };

  /**
   * Returns the parts of an address of a private scheme. Throws if the scheme lacks a privilege
   * that our page needs.
   */
  addressOf(url: string): { readonly scheme: string; readonly origin: string } {
    const { protocol, host } = new URL(url);
    const scheme = protocol.slice(0, -1);
    const known = schemes.find((one) => one.scheme === scheme);
    for (const name of REQUIRED_PRIVILEGES) {
      if (known?.privileges[name] !== true) throw new Error(`${scheme} is not ${name}`);
    }
    return { scheme, origin: `${protocol}//${host}` };
  }

  async answer(request: Request): Promise<Response | null> {
    const { url, method } = request;
    const { cancel = false } = await new Promise<{ readonly cancel?: boolean }>((resolve) => {
      if (this.#judge === undefined) resolve({});
      else this.#judge({ url, method }, resolve);
    });
    const answer = this.#answers.get(this.addressOf(url).scheme);
    return cancel || answer === undefined ? null : answer(request);
  }
}
