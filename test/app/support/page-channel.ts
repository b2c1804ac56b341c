import type { Page } from 'playwright';
// This import declares `window.desk`.
import type {} from '../../../renderer/window/desk.ts';
import type { Channel } from '../../../shared/wire.ts';

/** Channel that sends messages through the page's own `desk`, as the page does. */
export async function pageChannel(page: Page): Promise<Channel> {
  const listeners: ((message: string) => void)[] = [];
  await page.exposeFunction('__heard', (message: string) => {
    for (const listen of listeners) listen(message);
  });
  await page.evaluate(() => {
    const deliver = Reflect.get(window, '__heard') as (message: string) => Promise<void>;
    window.desk.onMessage((message) => void deliver(message));
  });
  return {
    post: (message) => void page.evaluate((text) => window.desk.post(text), message),
    onMessage: (listener) => void listeners.push(listener),
  };
}
