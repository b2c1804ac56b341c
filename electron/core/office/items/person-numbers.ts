import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';

/** As both APIs call a personal number: API v1 "personNumber", API v2 "personNo". */
const NAMES: ReadonlySet<string> = new Set(['personNumber', 'personNo']);

/**
 * Whether some party in it is named by a personal number, as those that may sign for a company are. What
 * every seat can read holds none.
 */
export function holdsPersonNumber(content: Json): boolean {
  if (typeof content !== 'object' || content === null) return false;
  return Object.entries(content).some(
    ([name, value]) =>
      value !== undefined && ((NAMES.has(name) && value !== '') || holdsPersonNumber(value)),
  );
}
