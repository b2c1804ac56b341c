import { createDesk, type HostSetup } from '../../../compose/compose.ts';
import { AppError } from '../../../../shared/errors.ts';
import { connectDirectly } from '../../../../shared/wire.ts';
import { dataDir, documentsFolder, stateDir } from '../../data-dir.ts';
import { examineHost } from '../../examine.ts';
import { platformName, systemLocale } from '../../platform.ts';
import { readVaultChoice, VAULT_CHOICE_MESSAGE } from '../../vault-choice.ts';
import { VERSION } from '../../version.ts';
import type { Answer } from '../output/answer.ts';
import type { GlobalOptions, RequiredData } from './group.ts';
import { createInterrupt } from './interrupt.ts';
import type { Io } from '../output/io.ts';
import { openData } from './profile.ts';
import type { Report } from '../output/report.ts';
import type { Session } from './session.ts';
import { UsageError } from '../input/usage.ts';

export interface Run {
  readonly io: Io;
  readonly report: Report;
  readonly need: RequiredData;
}

type DataLocations = Pick<HostSetup, 'dataDir' | 'stateDir' | 'vault'>;

/** Returns the folders and the credential store that arguments and variables name. */
export function dataLocationsOf({ env }: Io, options: GlobalOptions): DataLocations {
  const vault = readVaultChoice(options.vault ?? env['SIGNING_DESK_VAULT']);
  if (vault === null) throw new UsageError(VAULT_CHOICE_MESSAGE);
  const { platform } = process;
  return { dataDir: namedFolder(env, options.data), stateDir: stateDir(env, platform), vault };
}

function namedFolder(env: Io['env'], named: string | undefined): string {
  try {
    return dataDir(env, process.platform, named);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Opens a desk, runs one command on it, and closes it in every case.
 * @throws AppError with the reason; 'cancelled' after Ctrl+C.
 */
export async function withDesk(
  setup: DataLocations & Pick<HostSetup, 'demo'>,
  { io, report, need }: Run,
  work: (session: Session) => Promise<Answer>,
): Promise<Answer> {
  const desk = createDesk({ ...setup, ...describeCliHost(io, setup) });
  const { api, on, emit } = connectDirectly(desk.handlers, desk.toFailure);
  desk.setEmit(emit);
  const interrupt = createInterrupt(io);
  const session: Session = {
    api,
    on,
    io,
    report,
    onStop: interrupt.onStop,
    giveBytes: (data) => desk.acceptBytes(data),
    async takeBytes(id) {
      const served = await desk.serveBytes(`/bytes/out/${id}`);
      if (served === null)
        throw new AppError('not-found', 'The file is no longer available. Run the command again');
      return served.data;
    },
  };
  const run = async (): Promise<Answer> => {
    if (need === 'closed') return work(session);
    await desk.open();
    await openData(session, need, desk.hasData);
    return work(session);
  };
  try {
    return await interrupt.race(run());
  } catch (error) {
    throw AppError.from(desk.toFailure(error, 'cli'));
  } finally {
    await desk.close();
    interrupt.release();
  }
}

/** Describes a host without a window: it has no features, and nothing runs by the clock. */
function describeCliHost(
  { env, updates = 'checkout', phraseWork }: Io,
  { dataDir: folder }: DataLocations,
) {
  const refuse = (): Promise<never> =>
    Promise.reject(new AppError('invalid', 'This action needs the window of Signing Desk'));
  return {
    version: VERSION,
    locale: systemLocale(),
    platform: platformName(process.platform),
    documentsFolder: documentsFolder(env, process.platform, folder),
    interactive: false,
    variables: env,
    examineHost,
    updates: { way: updates },
    phraseWork,
    features: {
      describe: {
        chooseFolder: false,
        openPath: false,
        dragFile: false,
        notify: false,
        progress: false,
        badge: false,
        menu: false,
        tray: false,
        loginStart: false,
      },
      chooseFolder: refuse,
      openPath: refuse,
      dragFile: refuse,
      notify: () => undefined,
      progress: () => undefined,
      badge: () => undefined,
      menu: () => undefined,
      status: () => undefined,
      // The command that the user typed is their consent.
      confirm: null,
      startsAtLogin: () => false,
      startAtLogin: refuse,
      readSchedule: refuse,
      setSchedule: refuse,
    },
  };
}
