import { activity } from './activity.svelte.ts';
import { Loaded } from './loaded.svelte.ts';
import { errorSentenceOf } from './refusal.ts';

export interface ShownRule {
  readonly rule: { readonly id: string; readonly name: string; readonly isOn: boolean };
  /** Whether the rule failed too often, and is off until the user turns it on again. */
  readonly isPaused: boolean;
}

interface RuleCalls<Id, Shown, Draft> {
  list(): Promise<readonly Shown[]>;
  save(draft: Draft): Promise<unknown>;
  switch(id: Id, isOn: boolean): Promise<unknown>;
  remove(id: Id): Promise<unknown>;
}

/** The rules of one kind, and the rule being edited. */
export class RuleBook<Id, Shown extends ShownRule, Draft extends object> {
  readonly list: Loaded<readonly Shown[]>;
  /** The rule that is being edited, or null; it has no id until it is saved. */
  draft = $state<Draft | null>(null);
  readonly #calls: RuleCalls<Id, Shown, Draft>;

  constructor(calls: RuleCalls<Id, Shown, Draft>) {
    this.#calls = calls;
    this.list = new Loaded(() => calls.list());
  }

  /** Saves the rule. Returns null on success; otherwise the reason, and the draft stays. */
  async save(): Promise<string | null> {
    const { draft } = this;
    if (draft === null) return null;
    const refusal = await errorSentenceOf(() => this.#calls.save(draft));
    if (refusal === null) this.draft = null;
    return refusal;
  }

  async remove(id: Id): Promise<void> {
    await activity.attempt(() => this.#calls.remove(id));
  }

  async switch(id: Id, isOn: boolean): Promise<void> {
    await activity.attempt(() => this.#calls.switch(id, isOn));
  }
}
