import { beforeEach, expect, it, vi } from 'vitest';
import type { router as Router } from '../../../renderer/window/router.svelte.ts';

/**
 * A window as the router sees it: its address changes immediately, but the event about it follows
 * later.
 */
class FakeWindow extends EventTarget {
  readonly location = { hash: '#/agreements' };
  readonly history = {
    replaceState: (_state: null, _title: '', href: string): void => {
      this.location.hash = href;
    },
  };

  /**
   * Navigates as a key, a link or the history does; returns a function that dispatches the event.
   */
  step(hash: string): () => boolean {
    this.location.hash = hash;
    return () => this.dispatchEvent(new Event('hashchange'));
  }
}

let browser: FakeWindow;
let router: typeof Router;

beforeEach(async () => {
  browser = new FakeWindow();
  vi.stubGlobal('window', browser);
  vi.resetModules();
  ({ router } = await import('../../../renderer/window/router.svelte.ts'));
});

const place = () => [router.screen, ...router.parts];

it('the router moves within a screen, and follows a link to another one', () => {
  router.replace('agreements', 'c', '1');
  expect(place()).toEqual(['agreements', 'c', '1']);
  expect(browser.location.hash).toBe('#/agreements/c/1');
  browser.step('#/help')();
  expect(place()).toEqual(['help']);
});

it('the router does not overwrite a pending navigation with the address of the previous screen', () => {
  const tell = browser.step('#/help');
  router.replace('agreements', 'c', '1');
  tell();
  expect(place()).toEqual(['help']);
  expect(browser.location.hash).toBe('#/help');
});

it('the router ignores an address from a screen that was left', () => {
  browser.step('#/outbox')();
  router.replace('agreements', 'c', '1');
  expect(place()).toEqual(['outbox']);
});
