/** The screens, by the name they have in the address: `#/agreements/<connection>/<id>`. */
const screenNames = [
  'agreements',
  'drafts',
  'outbox',
  'templates',
  'batch',
  'signing',
  'archive',
  'rules',
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

/** The address of a place, for links. */
export function hrefOf(screen: ScreenName, ...parts: readonly string[]): string {
  return `#/${[screen, ...parts].map(encodeURIComponent).join('/')}`;
}

class Router {
  #place = $state.raw<Place>(placeOf(window.location.hash));

  constructor() {
    window.addEventListener('hashchange', () => {
      this.#place = placeOf(window.location.hash);
    });
  }

  get screen(): ScreenName {
    return this.#place.screen;
  }

  /** What follows the screen's name: ids, or the name of a section. */
  get parts(): readonly string[] {
    return this.#place.parts;
  }

  /** Moves without a step in the history, as for the row under the cursor. */
  replace(screen: ScreenName, ...parts: readonly string[]): void {
    window.history.replaceState(null, '', hrefOf(screen, ...parts));
    this.#place = { screen, parts };
  }
}

export const router = new Router();

/** Opens a screen, and in it what the parts name. */
export function go(screen: ScreenName, ...parts: readonly string[]): void {
  window.location.hash = hrefOf(screen, ...parts);
}
