import { builtInCertificates, systemList } from '../adapters/network/authorities.ts';
import type { Connection } from '../../shared/contract/connections.ts';
import type { DoctorCheck } from '../../shared/contract/host.ts';
import { AppError } from '../../shared/errors.ts';
import type { Route } from '../core/network/ports.ts';
import type { OpenData } from './data.ts';

type CheckedData = Pick<OpenData, 'stores' | 'network' | 'networkSettings' | 'desk'>;

const SERVICE_TIMEOUT_MS = 8000;
const MAX_SERVICES = 10;

/** Checks the proxy of each service, the trusted authorities and the clock differences. */
export async function checkNetwork(opened: CheckedData): Promise<DoctorCheck[]> {
  const services = opened.stores.connections
    .list()
    .filter(({ environment }) => environment !== 'demo')
    .slice(0, MAX_SERVICES);
  return [
    await checkProxy(opened, services),
    await checkAuthorities(opened),
    await checkClocks(opened, services),
  ];
}

async function checkProxy(
  { network, networkSettings }: CheckedData,
  services: readonly Connection[],
): Promise<DoctorCheck> {
  const name = 'proxy';
  try {
    const { proxy } = await networkSettings.read();
    const hosts = services.flatMap(({ url }) => URL.parse(url) ?? []);
    const urls = hosts.length === 0 ? [new URL('https://service.example')] : hosts;
    const ways = await Promise.all(
      urls.map(async (url) => ({ url, routes: (await network.routesTo(url)).routes })),
    );
    const through = ways.filter(({ routes }) => routes.some(({ kind }) => kind === 'proxy'));
    const chosen = proxy.kind === 'fixed' ? 'fixed for this computer' : proxy.kind;
    if (through.length === 0) {
      return {
        name,
        ok: true,
        note: `none is used (setting: ${chosen})`,
        finding: 'direct',
        value: '',
      };
    }
    const value = through
      .map(
        ({ url, routes }) =>
          `${hosts.length === 0 ? '' : `${url.host} → `}${routes.map(routeText).join(', ')}`,
      )
      .join('; ');
    return { name, ok: true, note: `${value} (setting: ${chosen})`, finding: 'stated', value };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message } = error.failure;
    return { name, ok: false, note: message, finding: 'no-way', value: message };
  }
}

const routeText = (route: Route): string => (route.kind === 'direct' ? 'directly' : route.origin);

async function checkAuthorities({ networkSettings, desk }: CheckedData): Promise<DoctorCheck> {
  const name = 'certificates';
  const { authorities } = await networkSettings
    .read()
    .then(() => desk.handlers['network.read']({}))
    .catch(() => ({ authorities: [] }));
  const now = Date.now();
  const own = authorities.map(({ subject }) => subject).join(', ');
  const counts = `Node ${String(builtInCertificates().length)}, system ${String(systemList().length)}`;
  const value = own === '' ? counts : `${counts}, ${own}`;
  const old = authorities.filter(({ validUntil }) => validUntil < now);
  const note = `trusted authorities: ${value}${old.length === 0 ? '' : `; out of date: ${old.map(({ subject }) => subject).join(', ')}`}`;
  return { name, ok: old.length === 0, note, finding: 'authorities', value };
}

/** Reads each service once, like the test of a connection. */
async function checkClocks(
  { desk }: CheckedData,
  services: readonly Connection[],
): Promise<DoctorCheck> {
  const name = 'service clock';
  const heard = await Promise.all(services.map((one) => clockOf(desk, one)));
  const told = heard.filter((one) => one !== null);
  const worst = told.toSorted((a, b) => Math.abs(b.seconds) - Math.abs(a.seconds))[0];
  if (worst === undefined) {
    const note = services.length === 0 ? 'no service is connected' : 'no service told its time';
    return { name, ok: true, note, finding: 'clock-unheard', value: '' };
  }
  const value = String(worst.seconds);
  const note = `${value} s from ${worst.connection}`;
  return { name, ok: worst.ok, note, finding: worst.ok ? 'clock-near' : 'clock-far', value };
}

interface ServiceClockCheck {
  readonly connection: string;
  readonly seconds: number;
  readonly ok: boolean;
}

async function clockOf(
  { handlers }: CheckedData['desk'],
  { id, name }: Connection,
): Promise<ServiceClockCheck | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), SERVICE_TIMEOUT_MS);
  try {
    const test = handlers['connections.test']({ id });
    test.catch(() => undefined);
    const result = await Promise.race([test, late.promise]);
    const clock = result?.steps.find(({ step }) => step === 'clock');
    if (clock === undefined || !/^-?\d+$/.test(clock.value ?? '')) return null;
    return { connection: name, seconds: Number(clock.value), ok: clock.ok };
  } catch {
    // The connection test reports why a service cannot be reached.
    return null;
  } finally {
    clearTimeout(timer);
  }
}
