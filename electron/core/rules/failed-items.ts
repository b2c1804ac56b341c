import type { NamedRuleFailure, RuleFailure } from '../../../shared/contract/rule-failures.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { orNull } from '../app-error.ts';
import type { Stores } from '../ports.ts';

/** Maximum number of failures stored with the last run of a rule. */
const MAX_STORED_FAILURES = 500;

/** Returns the failures to store with a run: without titles and without values of fields. */
export function storedFailures(failed: readonly (AgreementKey & { readonly failure: Failure })[]): {
  readonly failures?: RuleFailure[];
} {
  if (failed.length === 0) return {};
  return {
    failures: failed.slice(0, MAX_STORED_FAILURES).map(({ connectionId, id, failure }) => {
      const { code, message, reason } = failure;
      return {
        connectionId,
        id,
        failure: { code, message, ...(reason !== undefined && { reason }) },
      };
    }),
  };
}

/** Adds the titles; an agreement without a local copy is named by its ID. */
export function namedFailures(
  { agreements }: Pick<Stores, 'agreements'>,
  failures: readonly RuleFailure[] = [],
): NamedRuleFailure[] {
  return failures.map(({ connectionId, id, failure }) => {
    const copy = orNull(() => agreements.details({ connectionId, id }));
    return { name: copy?.title || id, failure };
  });
}
