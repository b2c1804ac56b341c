///<reference types="svelte" />
;
import type { AgreementCounts } from '../../../shared/contract/agreements.ts';
import { formatCount } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { agreements, type Counter } from '../../state/agreements.svelte.ts';

;type $$ComponentProps =  { counts: AgreementCounts };function $$render() {

  
  
  
  

  const { counts }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const rows = $derived([
    { counter: 'attention', count: counts.attention, words: m.agreements_counter_attention },
    { counter: 'expiring', count: counts.expiring, words: m.agreements_counter_expiring },
    { counter: 'my-turn', count: counts.myTurn, words: m.agreements_counter_my_turn },
    {
      counter: 'not-archived',
      count: counts.notArchived,
      words: m.agreements_counter_not_archived,
    },
  ] as const satisfies readonly { counter: Counter; count: number; words: () => string }[]);
;
async () => {

 { svelteHTML.createElement("div", {     "class":`counters`,"role":`group`,"aria-label":m.agreements_counters(),});
     for(let { counter, count, words } of __sveltets_2_ensureArray(rows)){counter;
    const isOn = agreements.filter.counter === counter;
     { svelteHTML.createElement("button", {           "type":`button`,"class":['counter', { some: count > 0 }],"aria-pressed":isOn,"onclick":() => void agreements.narrow(isOn ? {} : { counter }),...__sveltets_2_empty({"data-testid":`agreements.counter.${counter}`}),});
       { svelteHTML.createElement("strong", {});formatCount(count); }
      words();
     }
  }
 }


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Counters__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Counters__SvelteComponent_ = ReturnType<typeof Counters__SvelteComponent_>;
/*Ωignore_endΩ*/export default Counters__SvelteComponent_;