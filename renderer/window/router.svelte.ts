/** Names of the screens as in an address: `#/agreements/<connection>/<id>`. */
const screenNames = [
  'agreements',
  'board',
  'drafts',
  'outbox',
  'templates',
  'batch',
  'signing',
  'archive',
  'automation',
  'people',
  'settings',
  'help',
] as const;
export type ScreenName = (typeof screenNames)[number];

interface Place {
  readonly screen: ScreenName;
  readonly parts: readonly string[];
}

const isScreenName = (name: string | undefined): name is ScreenName =>
  screenNames.some((known) => known === name);

function placeOf(hash: string): Place {
  const [screen, ...parts] = hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  return isScreenName(screen)
    ? { screen, parts: parts.filter((part) => part !== '') }
    : { screen: 'agreements', parts: [] };
}

export type ScreenPlace = readonly [screen: ScreenName, ...parts: readonly string[]];

/** Address of a screen with its parts, for links. */
export function hrefOf(screen: ScreenName, ...parts: readonly string[]): string {
  return `#/${[screen, ...parts].map(encodeURIComponent).join('/')}`;
}

class Router {
  /**
   * Screen whose link in the side bar the user pressed last; a new object for each press. A screen
   * can then show its start, also if its address stays the same.
   */
  started = $state.raw<{ readonly screen: ScreenName } | null>(null);
  #hash = window.location.hash;
  #place = $state.raw<Place>(placeOf(this.#hash));

  constructor() {
    window.addEventListener('hashchange', () => this.#follow());
  }

  get screen(): ScreenName {
    return this.#place.screen;
  }

  /** Parts after the screen's name: ids, or the name of a section. */
  get parts(): readonly string[] {
    return this.#place.parts;
  }

  /**
   * Changes the address within a screen without a history entry, for example for the active row.
   * Does nothing if the user has left the screen: work that ends late must not return to it.
   */
  replace(screen: ScreenName, ...parts: readonly string[]): void {
    // The browser reports a changed address later, so follow the address before it is overwritten.
    if (this.#hash !== window.location.hash) this.#follow();
    else if (this.screen === screen) {
      window.history.replaceState(null, '', hrefOf(screen, ...parts));
      this.#follow();
    }
  }

  #follow(): void {
    this.#hash = window.location.hash;
    this.#place = placeOf(this.#hash);
  }
}

export const router = new Router();

/** Opens a screen at the item that the parts name. */
export function go(screen: ScreenName, ...parts: readonly string[]): void {
  window.location.hash = hrefOf(screen, ...parts);
}
