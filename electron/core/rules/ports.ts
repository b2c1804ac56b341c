/** The user's rules of one kind, each with its last result. */
export interface RuleStore<Id, Rule, Stored> {
  /** By name. */
  list(): readonly Stored[];
  /** Throws 'not-found'. */
  get(id: Id): Stored;
  /** Inserts or replaces. Throws 'conflict' with the field that another rule has the same. */
  save(rule: Rule): void;
  /** Throws 'not-found'. */
  remove(id: Id): void;
}
