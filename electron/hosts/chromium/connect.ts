import type { BrowserContext, Page } from 'playwright';
import type { Emit, Handlers } from '../../../shared/contract/index.ts';
import { serve, type ToFailure } from '../../../shared/wire.ts';
import type { ByteTransfers } from '../page/answer.ts';
import type { Assets } from '../page/assets.ts';
import { openChannel } from './channel.ts';
import { serveOrigin } from './origin.ts';

export { keepToOurPage } from './guard.ts';

/** The parts of the desk that a window shows. */
export interface WindowDesk extends ByteTransfers {
  readonly handlers: Handlers;
  readonly toFailure: ToFailure;
  setEmit(emit: Emit): void;
}

/** Answers the page's requests for files and bytes, and its calls. */
export async function connect(
  context: BrowserContext,
  page: Page,
  { assets, desk }: { readonly assets: Assets; readonly desk: WindowDesk },
): Promise<void> {
  await serveOrigin(context, assets, desk);
  const channel = await openChannel(context, page);
  desk.setEmit(serve(desk.handlers, channel, desk.toFailure).emit);
}
