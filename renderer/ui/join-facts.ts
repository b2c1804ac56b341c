/** Joins the known facts in one line, such as `2 pages · 214 kB`; empty without facts. */
export const joinFacts = (facts: readonly (string | null | undefined)[]): string =>
  facts.filter((fact) => fact !== null && fact !== undefined && fact !== '').join(' · ');
