import type { BrowserContext } from 'playwright';
import type { Assets } from '../page/assets.ts';
import { ORIGIN } from './launch.ts';
import { answerPage, type Bytes } from '../page/answer.ts';
import { mayRequest } from '../page/policy.ts';

/**
 * Answers every request of the page from here, and ends all that the table of what it may ask does
 * not name. Requests are all that passes here: WebRTC, which makes none, is closed by a flag of the
 * browser, and addresses for other programs by its profile.
 */
export async function serveOrigin(
  context: BrowserContext,
  assets: Assets,
  bytes: Bytes,
): Promise<void> {
  await context.routeWebSocket('**', (socket) => socket.close());
  await context.route('**/*', async (route) => {
    const request = route.request();
    // `aborted` leaves the page where it is; other reasons put an error page in its place.
    if (!mayRequest(request.url(), request.method(), ORIGIN)) return route.abort('aborted');
    const { status, headers, body } = await answerPage(
      {
        method: request.method(),
        url: request.url(),
        body: async () => request.postDataBuffer() ?? new Uint8Array(),
      },
      { address: ORIGIN, assets, bytes },
    );
    await route.fulfill({ status, headers: { ...headers }, body: Buffer.from(body) });
  });
}
