import type { BrowserContext, Page } from 'playwright';
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
  await listenToPage(context, page, (message) => {
    for (const listen of listeners) listen(message);
  });
  await context.addInitScript(installDesk, DELIVER_FUNCTION_NAME);
  return {
    post: deliverInOrder(page),
    onMessage: (listener) => void listeners.push(listener),
  };
}

/**
 * Calls `heard` for each message that the main frame of our own page posts, also while the page
 * closes. Playwright's own bindings drop the messages of a closing page, which contain the text
 * that the user typed last.
 */
async function listenToPage(
  context: BrowserContext,
  page: Page,
  heard: (message: string) => void,
): Promise<void> {
  const session = await context.newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  /** IDs of the contexts in which scripts of the main frame run. */
  const ours = new Set<number>();
  session.on('Runtime.executionContextCreated', ({ context: created }) => {
    const { isDefault, frameId } = created.auxData ?? {};
    if (Boolean(isDefault) && frameId === targetInfo.targetId) ours.add(created.id);
  });
  session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
    ours.delete(executionContextId);
  });
  session.on('Runtime.executionContextsCleared', () => ours.clear());
  session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
    if (name !== POST_BINDING_NAME || !ours.has(executionContextId)) return;
    if (isOurPage(page.mainFrame().url(), ORIGIN)) heard(payload);
  });
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: POST_BINDING_NAME });
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
