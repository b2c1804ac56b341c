/** Parts of the page that the script below uses; Node's own types do not contain them. */
interface DeskWindow {
  readonly top: unknown;
  __deskPost?: (message: string) => void;
  addEventListener(event: string, listener: (event: { preventDefault(): void }) => void): void;
}

declare const window: DeskWindow;

/**
 * Names on the page's `window`: the binding that posts messages, and the function that delivers
 * them.
 */
export const POST_BINDING_NAME = '__deskPost';
export const DELIVER_FUNCTION_NAME = '__deskDeliver';

/**
 * Runs in the page before its own scripts and defines `window.desk`, the same interface as in every
 * window host. Keeps messages that arrive before the page listens. The function is sent to the
 * browser as text, so it cannot refer to anything outside itself.
 */
export function installDesk(deliver: string): void {
  const post = window.__deskPost;
  // Frames get the binding too, but no frame may send messages for the desk.
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
      post: (message: string): void => post(message),
      onMessage: (listener: (message: string) => void): void => {
        listeners.push(listener);
        for (const message of waiting.splice(0)) listener(message);
      },
    }),
  });
  // A file that is dropped outside a drop target would open instead of the page.
  for (const event of ['dragover', 'drop']) {
    window.addEventListener(event, (dropped) => dropped.preventDefault());
  }
}
