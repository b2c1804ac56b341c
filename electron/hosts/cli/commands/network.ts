import type { NetworkState, ProxyChoice } from '../../../../shared/contract/network.ts';
import { AppError } from '../../../../shared/errors.ts';
import { type Answer, answer } from '../output/answer.ts';
import { pairs, plain } from '../output/text.ts';
import { readBytes } from '../input/local-files.ts';
import { toIsoText } from '../input/times.ts';
import { type AddCommands, example } from '../session/group.ts';
import type { Session } from '../session/session.ts';

interface ProxyOptions {
  readonly user?: string;
  readonly secretEnv?: string;
  readonly except?: string;
  readonly findsLinks?: true;
}

/** Maximum size of a file (bytes); certificate authorities of an office take a few kilobytes. */
const MAX_PEM_BYTES = 1_000_000;

async function showNetwork({ api }: Session): Promise<Answer> {
  return networkStateAnswer(await api['network.read']({}));
}

/**
 * `network proxy`: sets the proxy. The password comes from standard input or a variable, never from
 * an argument.
 */
async function setProxy(session: Session, way: string, options: ProxyOptions): Promise<Answer> {
  const { user, except = '', findsLinks } = options;
  const isFixed = way !== 'none' && way !== 'system';
  const proxy: ProxyChoice = isFixed
    ? { kind: 'fixed', address: way, user: user ?? null, exceptions: except }
    : { kind: way };
  const password = isFixed && user !== undefined ? await passwordOf(session, options) : null;
  const proxyFindsLinks = findsLinks === true;
  return networkStateAnswer(
    await session.api['network.setProxy']({ proxy, password, proxyFindsLinks }),
  );
}

async function passwordOf({ io }: Session, { secretEnv }: ProxyOptions): Promise<string> {
  if (secretEnv === undefined) {
    return (await io.readSecret('Password of the proxy: ')).replace(/\r?\n$/, '');
  }
  const password = io.env[secretEnv];
  if (password === undefined) throw new AppError('invalid', `The variable ${secretEnv} is not set`);
  return password;
}

async function trustAuthorities({ api }: Session, file: string): Promise<Answer> {
  const pem = await readPem(file);
  return networkStateAnswer(await api['network.setAuthorities']({ pem }));
}

async function readPem(file: string): Promise<string> {
  const data = await readBytes(file);
  if (data.length <= MAX_PEM_BYTES) return Buffer.from(data).toString('latin1');
  const message = `${plain(file)} was not read: it is larger than 1 MB, so it is not a certificate`;
  throw new AppError('invalid', message, { reason: 'not-a-certificate' });
}

async function distrustAuthorities({ api }: Session): Promise<Answer> {
  return networkStateAnswer(await api['network.setAuthorities']({ pem: null }));
}

function networkStateAnswer(state: NetworkState): Answer {
  const { proxy, hasPassword, proxyFindsLinks, authorities } = state;
  const user = proxy.kind === 'fixed' ? proxy.user : null;
  const rows: (readonly [string, string])[] = [
    ['proxy', proxyText(proxy)],
    ...(user === null
      ? []
      : [
          [
            'user',
            `${plain(user)}${hasPassword ? ', with a password in the credential store' : ', without a password'}`,
          ] as const,
        ]),
    ...(proxy.kind === 'fixed' && proxy.exceptions !== ''
      ? [['without proxy', plain(proxy.exceptions)] as const]
      : []),
    [
      'links to files',
      proxyFindsLinks
        ? 'found by the proxy if this computer cannot find them'
        : 'opened only if this computer can find their server',
    ],
    ['trusted', 'certificate authorities of Node and of the system'],
    ...authorities.map(
      ({ subject, fingerprint, validUntil }) =>
        [
          'also trusted',
          `${plain(subject)}, until ${toIsoText(validUntil) ?? ''}, SHA-256 ${fingerprint}`,
        ] as const,
    ),
    ['office', 'its PostgreSQL is reached without a proxy'],
  ];
  const shownAuthorities = authorities.map((one) => ({
    ...one,
    validUntil: toIsoText(one.validUntil),
  }));
  return answer({ ...state, authorities: shownAuthorities }, pairs(rows));
}

function proxyText(proxy: ProxyChoice): string {
  switch (proxy.kind) {
    case 'none':
      return 'none';
    case 'system':
      return 'the settings of the system, and HTTPS_PROXY, HTTP_PROXY and NO_PROXY';
    case 'fixed':
      return proxy.address;
  }
}

export const networkCommands: AddCommands = (group, run) => {
  const shown = group
    .command('show')
    .description('show the proxy and the trusted certificates, without connecting')
    .action(() => run.withDesk('data', showNetwork));
  example(shown, 'network show --json');
  const proxy = group
    .command('proxy')
    .argument('<way>', 'system, none, or the address of an HTTP proxy')
    .description('set the proxy; connections to this computer itself never use it')
    .option('--user <name>', 'user name for the proxy; reads its password from standard input')
    .option('--secret-env <variable>', 'read the password from this environment variable instead')
    .option('--except <hosts>', 'hosts that are reached without the proxy, written as in NO_PROXY')
    .option(
      '--finds-links',
      'let the proxy find the servers of links to files, if this computer cannot find them',
    )
    .action((way: string, options: ProxyOptions) =>
      run.withDesk('data', (session) => setProxy(session, way, options)),
    );
  example(proxy, 'network proxy http://proxy.example:8080 --user anna --except intranet.example');
  const trusted = group
    .command('trust')
    .argument('<file>', 'PEM file with the certificates, from your IT support')
    .description(
      'trust more certificate authorities, such as the authority of a proxy that inspects traffic',
    )
    .action((file: string) => run.withDesk('data', (session) => trustAuthorities(session, file)));
  example(trusted, 'network trust office-ca.pem');
  const distrusted = group
    .command('distrust')
    .description('trust only the certificate authorities of Node.js and the operating system again')
    .action(() => run.withDesk('data', distrustAuthorities));
  example(distrusted, 'network distrust');
};
