import type {
  CopyPage,
  RetirementResult,
  Retirement,
  WrittenCounts,
} from '../../../core/sync/ports.ts';

export interface CopyCalls {
  /**
   * Stores a page.
   * @param failures number of failures of the page's connection that the caller knew of when it
   * sent the page
   */
  store(page: CopyPage, failures: number): Promise<WrittenCounts>;
  buildIndex(): Promise<boolean>;
  retire(order: Retirement): Promise<RetirementResult>;
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
