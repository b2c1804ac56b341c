import type { HostMenu, HostStatus, HostConfirmation } from '../../shared/contract/host.ts';
import type { BytesId } from '../../shared/model/ids.ts';

/** Features of a host. A feature that the host does not have throws 'invalid'. */
export interface HostFeatures {
  chooseFolder(): Promise<string | null>;
  openPath(path: string): Promise<void>;
  dragFile(path: string): Promise<void>;
  notify(title: string, body: string): void;
  progress(fraction: number | null): void;
  badge(count: number): void;
  menu(menu: HostMenu): void;
  status(status: HostStatus): void;
  /** Asks the user outside of the page; null if the host has no dialog. */
  readonly confirm: ((question: HostConfirmation) => Promise<boolean>) | null;
  startsAtLogin(): boolean;
  /** Throws 'storage' if the system rejects it. */
  startAtLogin(isOn: boolean): Promise<void>;
}

/**
 * Bytes transferred outside of calls, on the private origin. Kept in memory for minutes, with a
 * size limit.
 */
export interface ByteExchange {
  /** Throws 'invalid' with 'too-large' if it exceeds the limit alone. */
  put(data: Uint8Array): BytesId;
  /** Throws 'not-found' if the bytes never existed or have expired. */
  take(id: BytesId): Uint8Array;
}
