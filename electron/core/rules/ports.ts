/** The user's rules of one kind, each with its last result. */
export interface RuleStore<Id, Rule, Stored> {
  /** Returns all rules, sorted by name. */
  list(): readonly Stored[];
  /** Throws 'not-found'. */
  get(id: Id): Stored;
  /**
   * Inserts or replaces a rule. Throws 'conflict' with the field whose value another rule already
   * has.
   */
  save(rule: Rule): void;
  /** Throws 'not-found'. */
  remove(id: Id): void;
}
