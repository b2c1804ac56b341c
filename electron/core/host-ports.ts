import type {
  HostConfirmation,
  HostMenu,
  HostSchedule,
  HostStatus,
} from '../../shared/contract/host.ts';
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
  /**
   * Function that asks the user in a dialog outside of the page; null if the host has no dialog.
   */
  readonly confirm: ((question: HostConfirmation) => Promise<boolean>) | null;
  startsAtLogin(): boolean;
  /**
   * Sets whether the program starts at login. Throws 'storage' if the system rejects the change.
   */
  startAtLogin(isOn: boolean): Promise<void>;
  /** Returns the scheduled task of the system that does due work while the window is closed. */
  readSchedule(): Promise<HostSchedule>;
  /**
   * Creates or removes the task. Throws 'storage' with 'schedule-refused' if the system rejects the
   * change.
   */
  setSchedule(isOn: boolean): Promise<void>;
}

/**
 * Store for bytes that are transferred outside of calls, on the private origin. It keeps them in
 * memory for a few minutes, up to a size limit.
 */
export interface ByteExchange {
  /**
   * Stores bytes and returns their ID. Throws 'invalid' with 'too-large' if `data` alone exceeds
   * the size limit.
   */
  put(data: Uint8Array): BytesId;
  /** Returns stored bytes. Throws 'not-found' if the bytes never existed or have expired. */
  take(id: BytesId): Uint8Array;
}
