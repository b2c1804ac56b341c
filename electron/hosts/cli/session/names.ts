import type { Connection } from '../../../../shared/contract/connections.ts';
import { AgreementId, type AgreementKey, type ConnectionId } from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { Session } from './session.ts';

/** Names of the built-in service that commands accept before the service was ever added. */
const DEMO_NAMES = new Map([
  ['demo', 'v1'],
  ['demo-v1', 'v1'],
  ['demo-v2', 'v2'],
]);

/** Whether a name means the built-in service, so that no real data need be open for it. */
export function isDemoName(name: string): boolean {
  return DEMO_NAMES.has(name.toLowerCase());
}

/**
 * Returns the connection of this name; the built-in service is added if the name is one of its
 * names.
 * @throws AppError 'not-found'.
 */
export async function connectionNamed({ api }: Session, name: string): Promise<Connection> {
  const found = withName(await api['connections.list']({}), name);
  if (found !== undefined) return found;
  if (!isDemoName(name)) {
    throw new AppError('not-found', `There is no connection named "${name}"`);
  }
  const added = await api['connections.addDemo']({});
  const wanted = DEMO_NAMES.get(name.toLowerCase());
  const demo = withName(added, name) ?? added.find(({ api: which }) => which === wanted);
  if (demo === undefined) throw new AppError('not-found', 'The demo service was not added');
  return demo;
}

/** Returns the connection's ID as part of a query, for an option that may be absent. */
export async function connectionQuery(
  session: Session,
  name: string | undefined,
): Promise<{ connectionId?: ConnectionId }> {
  if (name === undefined) return {};
  return { connectionId: (await connectionNamed(session, name)).id };
}

/**
 * Returns a function from ID to connection name; it returns IDs of removed connections unchanged.
 */
export async function connectionNames({ api }: Session): Promise<(id: ConnectionId) => string> {
  const names = new Map((await api['connections.list']({})).map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}

/**
 * Finds the agreement that `ID` or `CONNECTION:ID` names.
 * @throws AppError 'not-found', or 'invalid' if two connections have the ID.
 */
export async function agreementNamed(session: Session, text: string): Promise<AgreementKey> {
  const whole = await agreementKeysOf(session, text);
  if (whole.length === 1 && whole[0] !== undefined) return whole[0];
  const nameOf = await connectionNames(session);
  if (whole.length > 1) {
    const choices = whole.map((key) => `${nameOf(key.connectionId)}:${key.id}`).join(', ');
    throw new AppError('invalid', `Several connections have this ID; write one of ${choices}`);
  }
  // A connection's name may contain colons, an ID never does.
  const colon = text.lastIndexOf(':');
  if (colon > 0) {
    const { id: connectionId } = await connectionNamed(session, text.slice(0, colon));
    const keys = await agreementKeysOf(session, text.slice(colon + 1));
    const key = keys.find((one) => one.connectionId === connectionId);
    if (key !== undefined) return key;
  }
  throw new AppError('not-found', `There is no agreement ${text} here; run signing-desk sync`);
}

/** Finds several agreements as `agreementNamed` does; repeated ones count once. */
export async function agreementsNamed(
  session: Session,
  texts: readonly string[],
): Promise<AgreementKey[]> {
  const keys = await Promise.all(texts.map((text) => agreementNamed(session, text)));
  return [...new Map(keys.map((key) => [`${key.connectionId}:${key.id}`, key])).values()];
}

async function agreementKeysOf({ api }: Session, id: string): Promise<readonly AgreementKey[]> {
  const parsed = AgreementId.safeParse(id);
  return parsed.success ? api['agreements.find']({ id: parsed.data }) : [];
}

function withName(connections: readonly Connection[], name: string): Connection | undefined {
  const wanted = name.toLowerCase();
  const exact = connections.find((one) => one.name === name);
  return exact ?? connections.find((one) => one.name.toLowerCase() === wanted);
}
