import type { Party } from '../../../shared/model/agreement.ts';
import { m } from '../language.svelte.ts';

/** An agreement or a draft as a person knows it; `parties` is null until the service gave them. */
export interface Named {
  readonly title: string;
  readonly parties: readonly string[] | null;
  /** What else tells it apart from others. */
  readonly note?: string;
}

/**
 * What a dialog is about. Every dialog says it, so that nobody changes or removes something else
 * than they mean: `agreements` names them with who is on the other side, `thing` anything else that
 * has a name, and `nothing` is left for what does not exist yet or is no one thing.
 */
export type About =
  | {
      readonly kind: 'agreements';
      readonly all: readonly Named[];
      /** Each of them is listed, not the first few only. */
      readonly isWhole: boolean;
    }
  | { readonly kind: 'thing'; readonly name: string }
  | { readonly kind: 'nothing' };

export const aboutNothing: About = { kind: 'nothing' };

export const aboutThing = (name: string): About => ({ kind: 'thing', name });

/** Of an agreement, a draft or a send: its title and who is on the other side. */
export const aboutOne = (title: string, parties: readonly string[] | null): About => ({
  kind: 'agreements',
  all: [{ title: title || m.agreements_untitled(), parties }],
  isWhole: true,
});

interface WithParties {
  readonly title: string;
  readonly parties: readonly Pick<Party, 'kind' | 'name'>[] | null;
}

/** The other side of an agreement; everybody where we are the only side. */
function counterparties({ parties }: WithParties): readonly string[] | null {
  if (parties === null) return null;
  const others = parties.filter(({ kind }) => kind !== 'my-company');
  return (others.length === 0 ? parties : others).map(({ name }) => name);
}

export const aboutAgreement = (agreement: WithParties): About =>
  aboutOne(agreement.title, counterparties(agreement));

/** Their number and the first of them; `isWhole`, every one. */
export const aboutSeveral = (all: readonly Named[], isWhole = false): About => ({
  kind: 'agreements',
  all: all.map(({ title, ...rest }) => ({ title: title || m.agreements_untitled(), ...rest })),
  isWhole,
});
