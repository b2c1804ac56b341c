import { type Demo, type DemoOptions, startDemo } from '../../../electron/demo/start.ts';
import { createHomeHere, type HomeHere } from './desk-here.ts';
import type { Home } from './desk-process.ts';

/** Connections to a demo service. */
export interface Connecting {
  /**
   * API of each connection by the connection's name; one v1 connection called `Office` by default.
   */
  readonly connections?: Readonly<Record<string, 'v1' | 'v2'>>;
  /** Environment of the connections; `test` by default. */
  readonly environment?: 'test' | 'production';
}

/** A connection to each API. */
export const OFFICE_AND_OLD = { Office: 'v1', Old: 'v2' } as const;

/** Adds connections to a demo service with the program’s own commands. */
export async function connect(
  desk: Pick<Home, 'value'>,
  { v1Url, v2Url, credentials }: Pick<Demo, 'v1Url' | 'v2Url' | 'credentials'>,
  { connections = { Office: 'v1' }, environment = 'test' }: Connecting = {},
): Promise<void> {
  const { token, accessKey, accountId } = credentials;
  const service = {
    v1: { where: ['--url', v1Url], secret: token },
    v2: { where: ['--url', v2Url, '--account', accountId], secret: accessKey },
  };
  for (const [name, api] of Object.entries(connections)) {
    const { where, secret } = service[api];
    const add = ['connections', 'add', name, '--environment', environment, '--api', api];
    await desk.value([...add, ...where], secret);
  }
}

/** Options of the demo service, which by default is in memory and has no automatic parties. */
interface CliHomeOptions extends Connecting, Partial<DemoOptions> {
  /** Creates the home; `createHomeHere` by default. */
  readonly create?: () => Promise<HomeHere>;
  /** Whether the agreements of the connections have been read. */
  readonly isSynced?: boolean;
}

interface CliHome {
  readonly demo: Demo;
  readonly home: HomeHere;
  /** Ends the service and removes the home. */
  close(): Promise<void>;
}

/** Starts a demo service, and creates a command-line home with connections to it. */
export async function cliHome(options: CliHomeOptions = {}): Promise<CliHome> {
  const { create = createHomeHere, isSynced = false } = options;
  const demo = await startDemo({ dataDir: null, counterpartDelayMs: null, ...options });
  const home = await create();
  const close = async (): Promise<void> => {
    await demo.close();
    await home.remove();
  };
  try {
    await connect(home, demo, options);
    if (isSynced) await home.value(['sync']);
  } catch (error) {
    await close();
    throw error;
  }
  return { demo, home, close };
}

/** The service's ID of an agreement of the demo story. */
export function idOf({ agreements }: Demo, title: string): string {
  const v1 = agreements.v1().find((one) => one.title === title)?.id;
  const v2 = agreements.v2().find((one) => one.name === title)?.referenceNumber;
  const id = v1 ?? v2;
  if (id === undefined) throw new Error(`No agreement ${title}`);
  return id;
}

/** Number of agreements on the service whose tag has this reference of a send. */
export const timesMade = ({ agreements }: Demo, ref: string): number =>
  agreements.v1().filter(({ tags }) => tags['desk.ref'] === ref).length;
