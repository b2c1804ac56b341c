import type { Api } from '../../../../shared/contract/index.ts';
import type { BytesId } from '../../../../shared/model/ids.ts';
import type { Client } from '../../../../shared/wire.ts';
import type { Io } from '../output/io.ts';
import type { Report } from '../output/report.ts';

/** An open desk, as a command uses it. */
export interface Session {
  readonly api: Api;
  readonly on: Client['on'];
  readonly io: Io;
  readonly report: Report;
  /** Hands bytes over for a call that takes them. */
  giveBytes(data: Uint8Array): BytesId;
  /** Fetches bytes that a call left. */
  takeBytes(id: BytesId): Promise<Uint8Array>;
  /** Runs `stop` at Ctrl+C instead of ending the command immediately; null removes it. */
  onStop(stop: (() => void) | null): void;
}
