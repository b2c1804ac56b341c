import type { Page } from 'playwright';
// Declares `window.desk`.
import type {} from '../../../renderer/window/desk.ts';
import type { Channel } from '../../../shared/wire.ts';

/** The page's end of the channel: posted messages leave through the page's own `desk`. */
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
