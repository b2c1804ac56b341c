import type { DraftBodyV1 } from '../../../../shared/contract/drafts.ts';
import type { PartyV1 } from '../../../../shared/model/agreement-v1.ts';

type Configuration = NonNullable<DraftBodyV1['configurations']>[number];
type PartyConfiguration = NonNullable<PartyV1['configurations']>[number];
type ConfigurationType = Configuration['type'];

interface SettingsOwner<One> {
  configurations?: One[] | undefined;
}

/**
 * Index of a setting in its list, for its path; for an absent setting, the index that it would get.
 */
export function settingPlace(
  owner: SettingsOwner<{ readonly type: ConfigurationType }>,
  type: ConfigurationType,
): number {
  const list = owner.configurations ?? [];
  const at = list.findIndex((one) => one.type === type);
  return at < 0 ? list.length : at;
}

export function settingOf(
  owner: SettingsOwner<Configuration>,
  type: ConfigurationType,
): Partial<Configuration> {
  return owner.configurations?.find((one) => one.type === type) ?? {};
}

/** Changes a setting; an empty setting is removed, and so is an empty list. */
export function setSetting(
  owner: SettingsOwner<Configuration>,
  type: ConfigurationType,
  change: Partial<Omit<Configuration, 'type'>>,
): void {
  writeSettings(owner, { type, ...mergeSetting(settingOf(owner, type), change) });
}

/** Changes a party's settings, which have only one type (API v1, "Party configuration"). */
export function setPartySetting(
  party: SettingsOwner<PartyConfiguration>,
  change: Partial<Omit<PartyConfiguration, 'type'>>,
): void {
  writeSettings(party, {
    type: 'NOTIFICATION',
    ...mergeSetting(party.configurations?.[0] ?? {}, change),
  });
}

/** Further settings of a type after the first one; the fields do not show them. */
export function repeatedSettings<One extends { readonly type: ConfigurationType }>(
  owner: SettingsOwner<One>,
): readonly { readonly setting: One; readonly index: number }[] {
  return (owner.configurations ?? []).flatMap((setting, index, all) =>
    all.findIndex(({ type }) => type === setting.type) < index ? [{ setting, index }] : [],
  );
}

export function dropSetting(
  owner: SettingsOwner<{ readonly type: ConfigurationType }>,
  index: number,
): void {
  owner.configurations?.splice(index, 1);
}

function mergeSetting<Shape extends object>(before: Shape, change: Partial<Shape>): Shape {
  const all = { ...before, ...change };
  for (const key in all) if (isEmptySetting(all[key])) delete all[key];
  return all;
}

function writeSettings<One extends { readonly type: ConfigurationType }>(
  owner: SettingsOwner<One>,
  next: One,
): void {
  const list = owner.configurations ?? [];
  const at = list.findIndex(({ type }) => type === next.type);
  const isEmpty = Object.keys(next).length === 1;
  if (isEmpty && at >= 0) list.splice(at, 1);
  else if (!isEmpty && at >= 0) list[at] = next;
  else if (!isEmpty) list.push(next);
  if (list.length === 0) delete owner.configurations;
  else owner.configurations = list;
}

const isEmptySetting = (value: unknown): boolean => value === undefined || value === '';
