import type { TemplateSummary } from '../../../../../shared/contract/templates.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { isSameName } from '../../../../../shared/rules/text/same-name.ts';
import type { Session } from '../../session/session.ts';

type TemplateApiSession = Pick<Session, 'api'>;

/** Returns the templates that are not in the trash. */
export async function listKeptTemplates({
  api,
}: TemplateApiSession): Promise<readonly TemplateSummary[]> {
  return (await api['templates.list']({})).filter(({ trashedAt }) => trashedAt === null);
}

/**
 * Returns the template with this ID or name, or null. Capital letters matter only if two names
 * differ in nothing else.
 * @throws AppError 'invalid' with the IDs if several templates have the name.
 */
export async function findTemplate(
  session: TemplateApiSession,
  named: string,
): Promise<TemplateSummary | null> {
  const kept = await listKeptTemplates(session);
  const exact = kept.filter(({ id, name }) => id === named || name === named);
  const found = exact.length > 0 ? exact : kept.filter(({ name }) => isSameName(name, named));
  const [first, second] = found;
  if (second === undefined) return first ?? null;
  const ids = found.map(({ id }) => id).join(', ');
  throw new AppError('invalid', `Several templates are named "${named}"; use one of ${ids}`);
}

/**
 * Returns the template with this ID or name.
 * @throws AppError 'not-found', or 'invalid' if several templates have the name.
 */
export async function templateNamed(
  session: TemplateApiSession,
  named: string,
): Promise<TemplateSummary> {
  const found = await findTemplate(session, named);
  if (found === null) throw templateNotFound(named);
  return found;
}

export function templateNotFound(named: string): AppError {
  return new AppError('not-found', `There is no template named "${named}"`);
}
