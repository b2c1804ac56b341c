import type { Party } from '../../../shared/model/agreement.ts';
import { m } from '../language.svelte.ts';

/** Names of an agreement or draft; `parties` is null until the service sent them. */
export interface Named {
  readonly title: string;
  readonly parties: readonly string[] | null;
  /** Text that distinguishes the agreement or draft from others. */
  readonly note?: string;
}

/**
 * Subject of a dialog. Every dialog shows it, so that users do not change or remove the wrong
 * thing. `agreements` is one or more agreements with their counterparties, and `thing` anything
 * else that has a name. `nothing` is for a subject that does not exist yet or is not a single
 * thing.
 */
export type About =
  | {
      readonly kind: 'agreements';
      readonly all: readonly Named[];
      /** Whether all of them are listed, not only the first few. */
      readonly isWhole: boolean;
    }
  | { readonly kind: 'thing'; readonly name: string }
  | { readonly kind: 'nothing' };

export const aboutNothing: About = { kind: 'nothing' };

export const aboutThing = (name: string): About => ({ kind: 'thing', name });

/** Subject for one agreement, draft or send: its title and its counterparties. */
export const aboutOne = (title: string, parties: readonly string[] | null): About => ({
  kind: 'agreements',
  all: [{ title: title || m.agreements_untitled(), parties }],
  isWhole: true,
});

interface TitledAgreement {
  readonly title: string;
  readonly parties: readonly Pick<Party, 'kind' | 'name'>[] | null;
}

/** Counterparties of an agreement; all parties if our company is the only one. */
function counterparties({ parties }: TitledAgreement): readonly string[] | null {
  if (parties === null) return null;
  const others = parties.filter(({ kind }) => kind !== 'my-company');
  return (others.length === 0 ? parties : others).map(({ name }) => name);
}

export const aboutAgreement = (agreement: TitledAgreement): About =>
  aboutOne(agreement.title, counterparties(agreement));

/**
 * Subject for several agreements: their number and the first of them; with `isWhole`, all of them.
 */
export const aboutSeveral = (all: readonly Named[], isWhole = false): About => ({
  kind: 'agreements',
  all: all.map(({ title, ...rest }) => ({ title: title || m.agreements_untitled(), ...rest })),
  isWhole,
});
