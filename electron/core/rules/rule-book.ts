import type { Chance, Clock, Stores } from '../ports.ts';
import type { RuleStore } from './ports.ts';

/** Fields of a rule that the program sets, not the user. */
interface RuleOrigin<Id> {
  readonly id: Id;
  /** Time of creation (epoch ms). */
  readonly createdAt: number;
}

interface SwitchableRule<Id> extends RuleOrigin<Id> {
  readonly isOn: boolean;
}

interface BookPorts<Id, Rule, Stored> {
  readonly rules: RuleStore<Id, Rule, Stored>;
  readonly transaction: Stores['transaction'];
  readonly parseId: (id: string) => Id;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly announce: () => void;
  /** Clears the failures of a rule, so that it runs at its next scheduled time. */
  readonly forgive: (stored: Stored) => void;
}

export class RuleBook<Id, Rule extends SwitchableRule<Id>, Stored extends { readonly rule: Rule }> {
  readonly #ports: BookPorts<Id, Rule, Stored>;

  constructor(ports: BookPorts<Id, Rule, Stored>) {
    this.#ports = ports;
  }

  /**
   * Returns the origin of the rule with this ID, or a new origin if `id` is undefined. Throws
   * 'not-found'.
   */
  originOf(id: Id | undefined): RuleOrigin<Id> {
    const { rules, parseId, clock, chance } = this.#ports;
    return id === undefined
      ? { id: parseId(chance.uuid()), createdAt: clock.now() }
      : { id, createdAt: rules.get(id).rule.createdAt };
  }

  /**
   * Inserts or replaces a rule. Throws 'conflict' with the field whose value another rule already
   * has.
   */
  save(rule: Rule): Rule {
    this.#ports.rules.save(rule);
    this.#ports.announce();
    return rule;
  }

  /**
   * Turns a rule on or off. A user who turns it on has seen why it failed, so its failures are
   * cleared. Throws 'not-found'.
   */
  switch(id: Id, isOn: boolean): Rule {
    const { rules, transaction, forgive, announce } = this.#ports;
    const rule = transaction(() => {
      const stored = rules.get(id);
      const changed = { ...stored.rule, isOn };
      rules.save(changed);
      if (isOn) forgive(stored);
      return changed;
    });
    announce();
    return rule;
  }

  /** Throws 'not-found'. */
  remove(id: Id): Record<string, never> {
    this.#ports.rules.remove(id);
    this.#ports.announce();
    return {};
  }
}
