import type { BrowserContext } from 'playwright';
import type { Assets } from '../page/assets.ts';
import { ORIGIN } from './launch.ts';
import { answerPage, type ByteTransfers } from '../page/answer.ts';
import { mayRequest } from '../page/policy.ts';

/**
 * Answers every request of the page in this program, and aborts every request that the table of
 * allowed requests (`shared/page-asks.ts`) does not name. Only requests are checked: WebRTC makes
 * none and is disabled by a browser flag; the profile blocks addresses for other programs.
 */
export async function serveOrigin(
  context: BrowserContext,
  assets: Assets,
  bytes: ByteTransfers,
): Promise<void> {
  await context.routeWebSocket('**', (socket) => socket.close());
  await context.route('**/*', async (route) => {
    const request = route.request();
    // `aborted` leaves the page as it is; other reasons show an error page instead.
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
