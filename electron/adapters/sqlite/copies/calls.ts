import type { CopyPage, Retired, Retirement, Written } from '../../../core/sync/ports.ts';

/** What the thread does. */
export interface CopyCalls {
  /** @param failures of the page's connection that were known when the page was given */
  store(page: CopyPage, failures: number): Promise<Written>;
  buildIndex(): Promise<boolean>;
  retire(order: Retirement): Promise<Retired>;
  beginBulk(): void;
  endBulk(): void;
}

export const copyCalls: Readonly<Record<keyof CopyCalls, true>> = {
  store: true,
  buildIndex: true,
  retire: true,
  beginBulk: true,
  endBulk: true,
};
