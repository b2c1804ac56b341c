import type { HostMenu, HostStatus, OutsideQuestion } from '../../shared/contract/host.ts';
import type { BytesId } from '../../shared/model/ids.ts';

/** What a host can do for the desk. A feature it does not have throws 'invalid'. */
export interface HostFeatures {
  chooseFolder(): Promise<string | null>;
  openPath(path: string): Promise<void>;
  dragFile(path: string): Promise<void>;
  notify(title: string, body: string): void;
  progress(fraction: number | null): void;
  badge(count: number): void;
  menu(menu: HostMenu): void;
  status(status: HostStatus): void;
  /** Asks the person, outside of the page; null where the host has no dialog. */
  readonly confirm: ((question: OutsideQuestion) => Promise<boolean>) | null;
  startsAtLogin(): boolean;
  /** Throws 'storage' when the system does not take it. */
  startAtLogin(isOn: boolean): Promise<void>;
}

/** Bytes that travel beside the calls, on the private origin. Kept in memory, bounded, for minutes. */
export interface ByteExchange {
  /** Throws 'invalid' with 'too-large' when it alone is more than may wait. */
  put(data: Uint8Array): BytesId;
  /** Throws 'not-found' when it was never there or waited too long. */
  take(id: BytesId): Uint8Array;
}
