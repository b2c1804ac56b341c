import { type Demo, type DemoOptions, startDemo } from '../../../electron/demo/start.ts';
import { createHomeHere, type HomeHere } from './desk-here.ts';
import type { Home } from './desk-process.ts';

/** Which connections a desk gets to a demo service. */
export interface Connecting {
  /** The API of each by its name; one of v1 called `Office` where nothing is said. */
  readonly connections?: Readonly<Record<string, 'v1' | 'v2'>>;
  /** `test` where nothing is said. */
  readonly environment?: 'test' | 'production';
}

/** A connection to each API. */
export const OFFICE_AND_OLD = { Office: 'v1', Old: 'v2' } as const;

/** Adds connections to a demo service to a desk, by its own commands. */
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

/** Of the demo service, too: it is kept in memory, and nobody acts by themselves, where nothing is said. */
interface CliHomeOptions extends Connecting, Partial<DemoOptions> {
  /** Makes the home; `createHomeHere` where nothing is said. */
  readonly create?: () => Promise<HomeHere>;
  /** Whether the agreements of its connections have been read. */
  readonly isSynced?: boolean;
}

interface CliHome {
  readonly demo: Demo;
  readonly home: HomeHere;
  /** Ends the service and removes the home. */
  close(): Promise<void>;
}

/** Starts a demo service, and makes a home for the command line with connections to it. */
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

/** The service's id of an agreement of the story. */
export function idOf({ agreements }: Demo, title: string): string {
  const v1 = agreements.v1().find((one) => one.title === title)?.id;
  const v2 = agreements.v2().find((one) => one.name === title)?.referenceNumber;
  const id = v1 ?? v2;
  if (id === undefined) throw new Error(`No agreement ${title}`);
  return id;
}

/** How often the service has what was sent with this reference. */
export const timesMade = ({ agreements }: Demo, ref: string): number =>
  agreements.v1().filter(({ tags }) => tags['desk.ref'] === ref).length;
