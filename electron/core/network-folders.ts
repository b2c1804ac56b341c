import { type CallName, calls } from '../../shared/contract/index.ts';
import { type PathBound, pathArguments } from '../../shared/page-asks.ts';
import { hasPaths } from './path-bounds.ts';
import type { Files, Stores } from './ports.ts';

/**
 * Returns the network path, which names a server, that a call would use; null if there is none. The
 * page can use a network path only if it is stored; in restored data, the maker of the backup chose
 * it.
 */
export function networkFolder(
  name: CallName,
  input: unknown,
  stores: Stores,
  { resolveLocal }: Pick<Files, 'resolveLocal'>,
): string | null {
  const ruled = ruleFolder(name, input, stores);
  const folders = ruled === null ? pathsIn(name, input) : [ruled];
  return folders.find((folder) => resolveLocal(folder) === null) ?? null;
}

/** Folder of the rule that the call runs or previews; null for calls without a rule. */
function ruleFolder(name: CallName, input: unknown, { archive, intake }: Stores): string | null {
  switch (name) {
    case 'archive.runRule':
      return archive.rules.get(calls[name].input.parse(input).id).rule.folder;
    case 'intake.runRule':
      return intake.rules.get(calls[name].input.parse(input).id).rule.folder;
    case 'intake.preview': {
      const asked = calls[name].input.parse(input);
      return 'id' in asked ? intake.rules.get(asked.id).rule.folder : asked.folder;
    }
    case 'archive.switchRule': {
      const { id, isOn } = calls[name].input.parse(input);
      return isOn ? archive.rules.get(id).rule.folder : null;
    }
    case 'intake.switchRule': {
      const { id, isOn } = calls[name].input.parse(input);
      return isOn ? intake.rules.get(id).rule.folder : null;
    }
    default:
      return null;
  }
}

function pathsIn(name: CallName, input: unknown): string[] {
  if (!hasPaths(name) || typeof input !== 'object' || input === null) return [];
  const bounds: Readonly<Record<string, PathBound>> = pathArguments[name];
  return Object.entries(input).flatMap(([key, value]: [string, unknown]) => {
    const kind = bounds[key]?.kind;
    return typeof value === 'string' && (kind === 'folder' || kind === 'file') ? [value] : [];
  });
}
