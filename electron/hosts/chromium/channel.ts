import type { BrowserContext, Frame, Page } from 'playwright';
import { CoalescedTask } from '../../../shared/coalesced.ts';
import type { Channel } from '../../../shared/wire.ts';
import { ORIGIN } from './launch.ts';
import { POST_BINDING_NAME, DELIVER_FUNCTION_NAME, installDesk } from './page.ts';
import { isOurPage } from '../page/policy.ts';

/** Part of the page's `window` that receives messages. */
declare const window: Record<string, (messages: readonly string[]) => void>;

/**
 * Opens a text channel to and from the page over the browser's pipe. It accepts messages only from
 * the main frame of our own page. It delivers messages to the page in the order they were posted;
 * messages that are posted close together are delivered in one call.
 */
export async function openChannel(context: BrowserContext, page: Page): Promise<Channel> {
  const listeners: ((message: string) => void)[] = [];
  await context.exposeBinding(POST_BINDING_NAME, (source, message: unknown) => {
    if (!isOwnFrame(source.frame, page) || typeof message !== 'string') return;
    for (const listen of listeners) listen(message);
  });
  await context.addInitScript(installDesk, DELIVER_FUNCTION_NAME);
  return {
    post: deliverInOrder(page),
    onMessage: (listener) => void listeners.push(listener),
  };
}

function isOwnFrame(frame: Frame, page: Page): boolean {
  return frame === page.mainFrame() && isOurPage(frame.url(), ORIGIN);
}

function deliverInOrder(page: Page): (message: string) => void {
  const waiting: string[] = [];
  const delivery = new CoalescedTask(async () => {
    const messages = waiting.splice(0);
    if (messages.length === 0) return;
    try {
      await page.evaluate(([name, texts]) => window[name]?.(texts), [
        DELIVER_FUNCTION_NAME,
        messages,
      ] as const);
    } catch {
      // A page that is gone or is loading again will request everything it shows.
      waiting.splice(0);
    }
  });
  return (message) => {
    waiting.push(message);
    void delivery.run();
  };
}
