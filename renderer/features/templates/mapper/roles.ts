import type { PartyV1, SigningMethodV1 } from '../../../../shared/model/agreement-v1.ts';
import type { SigningMethodV2 } from '../../../../shared/model/agreement-v2.ts';
import type { RoleV1, RoleV2, TemplateContent } from '../../../../shared/model/template.ts';
import { m } from '../../../ui/language.svelte.ts';
import { startMethod, startParty } from '../../../../shared/rules/drafts/start.ts';

/** Letter of a party; after eight, letters and colours repeat. */
export const partyLetter = (place: number): string => String.fromCharCode(65 + (place % 8));

export function addRole(content: TemplateContent): void {
  const { body } = content;
  const id = crypto.randomUUID();
  const name = m.templates_role_start({ letter: partyLetter(body.roles.length) });
  if (body.api === 'v1') body.roles.push({ id, name, party: startParty('PRIVATE') });
  else body.roles.push({ id, name, kind: 'private', party: { signMethods: ['EID'] } });
}

/** Removes the role and all sources that refer to it. */
export function removeRole(content: TemplateContent, id: string): void {
  const { body } = content;
  if (body.api === 'v1') body.roles = body.roles.filter((role) => role.id !== id);
  else body.roles = body.roles.filter((role) => role.id !== id);
  content.mapping = content.mapping.filter(
    ({ source }) => !('role' in source) || source.role !== id,
  );
}

/** Moves the role up by one; signature placeholders follow, because they refer to the role's id. */
export function raiseRole({ body }: TemplateContent, place: number): void {
  const swap = <Role>(roles: Role[]): void => {
    const [above, own] = [roles[place - 1], roles[place]];
    if (above === undefined || own === undefined) return;
    roles.splice(place - 1, 2, own, above);
  };
  if (body.api === 'v1') swap(body.roles);
  else swap(body.roles);
}

export function setKindV1(role: RoleV1, type: PartyV1['type']): void {
  role.party = { ...startParty(type), signingOrder: role.party.signingOrder ?? 1 };
}

/** Sets the preferred signing method; the other methods stay. */
export function setMethodV1(role: RoleV1, type: SigningMethodV1): void {
  const others = role.party.signingConfigurations.slice(1);
  role.party.signingConfigurations = [startMethod(type, role.party), ...others];
}

export function setKindV2(role: RoleV2, kind: RoleV2['kind']): RoleV2 {
  const { id, name } = role;
  const { signMethods = ['EID'], signingOrder } = role.party;
  const party = { signMethods, ...(signingOrder === undefined ? {} : { signingOrder }) };
  return { id, name, kind, party };
}

export function setMethodV2(role: RoleV2, method: SigningMethodV2): void {
  role.party.signMethods = [method];
}
