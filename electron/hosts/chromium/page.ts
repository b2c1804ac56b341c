/** What the script below touches of the page; Node's own types know nothing of it. */
interface DeskWindow {
  readonly top: unknown;
  __deskPost?: (message: string) => Promise<unknown>;
  addEventListener(event: string, listener: (event: { preventDefault(): void }) => void): void;
}

declare const window: DeskWindow;

/** Names on the page's `window`: the binding to post through, and the function that delivers. */
export const BINDING = '__deskPost';
export const DELIVER = '__deskDeliver';

/**
 * Runs in the page before its own scripts: `window.desk`, the same as every window host exposes.
 * Messages that come before the page listens wait. It is sent to the browser as text, so it can
 * refer to nothing outside itself.
 */
export function installDesk(deliver: string): void {
  const post = window.__deskPost;
  // Frames get the binding too; nothing in one may speak for the desk.
  delete window.__deskPost;
  if (window.top !== window || post === undefined) return;
  const waiting: string[] = [];
  const listeners: ((message: string) => void)[] = [];
  Object.defineProperty(window, deliver, {
    value: (messages: readonly string[]) => {
      if (listeners.length === 0) waiting.push(...messages);
      for (const message of messages) for (const listen of listeners) listen(message);
    },
  });
  Object.defineProperty(window, 'desk', {
    value: Object.freeze({
      post: (message: string): void => void post(message),
      onMessage: (listener: (message: string) => void): void => {
        listeners.push(listener);
        for (const message of waiting.splice(0)) listener(message);
      },
    }),
  });
  // A file dropped beside a drop target would open in place of the page.
  for (const event of ['dragover', 'drop']) {
    window.addEventListener(event, (dropped) => dropped.preventDefault());
  }
}
