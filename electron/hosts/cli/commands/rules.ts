import type { Command } from 'commander';
import { AppError } from '../../../../shared/errors.ts';
import type { NamedRuleFailure } from '../../../../shared/contract/rule-failures.ts';
import { type Answer, answer, failedItem } from '../output/answer.ts';
import { exits } from '../output/exit-codes.ts';
import { plain } from '../output/text.ts';
import { example, type Runner } from '../session/group.ts';
import type { Session } from '../session/session.ts';

type Api = Session['api'];

interface ShownRule {
  readonly rule: { readonly id: string; readonly name: string; readonly isOn: boolean };
  /** Whether the rule failed too often, and waits until the user switches it on again. */
  readonly isPaused: boolean;
}

/** Commands for one kind of rule, and the calls that they make. */
export interface RuleKind<Shown extends ShownRule> {
  /** Words before each command, such as `archive schedule`. */
  readonly path: string;
  /** Name of the kind, such as `archive rule`. */
  readonly noun: string;
  readonly exampleName: string;
  list(api: Api): Promise<readonly Shown[]>;
  switch(api: Api, id: Shown['rule']['id'], isOn: boolean): Promise<object>;
  remove(api: Api, id: Shown['rule']['id']): Promise<object>;
}

/** Returns the rule with this name. Throws 'not-found'. */
export async function ruleNamed<Shown extends ShownRule>(
  { api }: Pick<Session, 'api'>,
  kind: RuleKind<Shown>,
  name: string,
): Promise<Shown> {
  const found = (await kind.list(api)).find(({ rule }) => rule.name === name);
  if (found === undefined) throw new AppError('not-found', `There is no ${kind.noun} "${name}"`);
  return found;
}

export function stateText({ rule, isPaused }: ShownRule): string {
  if (!rule.isOn) return 'off';
  return isPaused ? 'paused' : 'on';
}

/** Returns the exit code of a list: a paused rule waits for the user. */
export const exitOfRules = (rules: readonly ShownRule[]) =>
  rules.some(({ isPaused }) => isPaused) ? exits.inPart : exits.done;

/** Maximum number of failures in a text; the JSON output has all stored ones. */
const MAX_FAILURES_LISTED = 20;

interface RuleWithFailures extends Pick<ShownRule, 'rule'> {
  readonly failures: readonly NamedRuleFailure[];
}

/**
 * Returns a list of rules, followed by the failed agreements of each rule's last run.
 * `countOf`: number of all failures of the last run, of which only the first are stored.
 */
export function textWithFailures<Shown extends RuleWithFailures>(
  text: string,
  rules: readonly Shown[],
  countOf: (shown: Shown) => number,
): string {
  const lines = rules.flatMap((shown) => {
    const { rule, failures } = shown;
    if (failures.length === 0) return [];
    const more = countOf(shown) - Math.min(failures.length, MAX_FAILURES_LISTED);
    return [
      '',
      `Failed in the last run of "${plain(rule.name)}":`,
      ...failures
        .slice(0, MAX_FAILURES_LISTED)
        .map(({ name, failure }) => `  ${plain(name)}: ${failedItem(failure).message}`),
      ...(more > 0 ? [`  and ${more} more (--json lists them)`] : []),
    ];
  });
  return [text, ...lines].join('\n');
}

/** Returns the failures for the JSON output; an empty object if there are none. */
export const failureItems = ({ failures }: Pick<RuleWithFailures, 'failures'>) =>
  failures.length === 0
    ? {}
    : { failures: failures.map(({ name, failure }) => ({ name, ...failedItem(failure) })) };

/** Returns the last run without its failures, which `failureItems` returns with names. */
export function lastWithoutFailures<Run extends { readonly failures?: unknown }>({
  failures: _,
  ...run
}: Run) {
  return run;
}

/** Adds `remove`, `on` and `off`. */
export function addRuleSwitches<Shown extends ShownRule>(
  group: Command,
  run: Runner,
  kind: RuleKind<Shown>,
): void {
  const add = (
    word: string,
    about: string,
    work: (api: Api, shown: Shown) => Promise<Answer>,
  ): void => {
    const command = group
      .command(word)
      .argument('<name>', `name of the rule, as \`${kind.path} list\` shows it`)
      .description(about)
      .action((name: string) =>
        run.withDesk('data', async (session) =>
          work(session.api, await ruleNamed(session, kind, name)),
        ),
      );
    example(command, `${kind.path} ${word} ${kind.exampleName}`);
  };
  const change =
    (isOn: boolean) =>
    async (api: Api, { rule }: Shown) => {
      const changed = await kind.switch(api, rule.id, isOn);
      return answer({ rule: changed }, `"${plain(rule.name)}" is ${isOn ? 'on' : 'off'}.`);
    };
  add('remove', `remove a ${kind.noun}; its earlier results stay`, async (api, { rule }) => {
    await kind.remove(api, rule.id);
    const text = `Removed "${plain(rule.name)}". Its earlier results stay.`;
    return answer({ removed: rule.name }, text);
  });
  add('on', `turn a ${kind.noun} on, also if it is paused`, change(true));
  add('off', `turn a ${kind.noun} off; its settings stay`, change(false));
}
