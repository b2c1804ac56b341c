import * as z from 'zod';
import { Failure } from '../errors.ts';
import { AgreementKey } from '../model/ids.ts';

/**
 * Agreement for which a run of a rule failed. The title is not stored, because it may contain the
 * name of a person whose data is deleted later.
 */
export const RuleFailure = AgreementKey.extend({ failure: Failure });
export type RuleFailure = z.infer<typeof RuleFailure>;

/** Agreement or file for which the last run of a rule failed; the name is its title or file name. */
export const NamedRuleFailure = z.object({ name: z.string(), failure: Failure });
export type NamedRuleFailure = z.infer<typeof NamedRuleFailure>;
