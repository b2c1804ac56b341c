import { createDesk, type Desk, type HostSetup } from '../../compose.ts';
import { AppError } from '../../../shared/errors.ts';
import { connectDirectly } from '../../../shared/wire.ts';
import { dataDir, documentsFolder } from '../data-dir.ts';
import { platformName, systemLocale } from '../platform.ts';
import { readVaultChoice } from '../vault-choice.ts';
import { VERSION } from '../version.ts';
import type { Interrupt } from './interrupt.ts';
import type { Io } from './io.ts';
import type { Report } from './report.ts';
import type { Session } from './session.ts';
import { UsageError } from './usage.ts';

/** An open desk and the ways to it. */
export interface CliDesk {
  readonly dataFolder: string;
  session(io: Io, report: Report, interrupt: Interrupt): Session;
  asAppError(error: unknown): AppError;
  close(): Promise<void>;
}

/** The desk that the arguments and variables name. @throws UsageError when they name none. */
export function openNamedDesk(io: Io, data: string | undefined): Promise<CliDesk> {
  const vault = readVaultChoice(io.env['SIGNING_DESK_VAULT']);
  if (vault === null) throw new UsageError('SIGNING_DESK_VAULT is keychain or keyfile:PATH');
  return openDesk(io, { dataDir: dataDir(io.env, process.platform, data), vault });
}

/** Opens a desk without a window: it lends no favours. */
export async function openDesk(
  io: Io,
  setup: Pick<HostSetup, 'dataDir' | 'vault' | 'demo'>,
): Promise<CliDesk> {
  const desk: Desk = createDesk({
    ...setup,
    version: VERSION,
    locale: systemLocale(),
    platform: platformName(process.platform),
    documentsFolder: documentsFolder(io.env, process.platform),
    favours: noFavours,
    interactive: false,
  });
  const { api, on, emit } = connectDirectly(desk.handlers, desk.toFailure);
  desk.setEmit(emit);
  await desk.open();
  return {
    dataFolder: setup.dataDir,
    session: (_io, report, { onStop }) => ({
      ...{ api, on, io, report, onStop },
      giveBytes: (data) => desk.acceptBytes(data),
      async takeBytes(id) {
        const served = await desk.serveBytes(`/bytes/out/${id}`);
        if (served === null) throw new AppError('not-found', 'The bytes are no longer here');
        return served.data;
      },
    }),
    asAppError: (error) => AppError.from(desk.toFailure(error, 'cli')),
    close: () => desk.close(),
  };
}
