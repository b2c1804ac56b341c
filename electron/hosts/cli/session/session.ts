import type { Api } from '../../../../shared/contract/index.ts';
import type { BytesId } from '../../../../shared/model/ids.ts';
import type { Client } from '../../../../shared/wire.ts';
import type { Io } from '../output/io.ts';
import type { Report } from '../output/report.ts';

export interface Session {
  readonly api: Api;
  readonly on: Client['on'];
  readonly io: Io;
  readonly report: Report;
  giveBytes(data: Uint8Array): BytesId;
  takeBytes(id: BytesId): Promise<Uint8Array>;
  /**
   * Runs `stop` at Ctrl+C instead of ending the command immediately; null removes an earlier
   * `stop`.
   */
  onStop(stop: (() => void) | null): void;
}
