///<reference types="svelte" />
;
import ChevronRight from '@lucide/svelte/icons/chevron-right';
import type { Component } from 'svelte';
;

  interface Choice {
    readonly name: string;
    readonly title: string;
    readonly hint: string;
    readonly icon: Component<{ size?: number }>;
    readonly choose: () => void;
  };
;type $$ComponentProps =  { choices: readonly Choice[]; busy?: boolean };function $$render() {

  
  


  /** The first one has the focus: Enter is enough to go on. */
  const { choices, busy = false }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const focusFirst = (list: HTMLElement): void => list.querySelector('button')?.focus();
;
async () => {

 { svelteHTML.createElement("ul", { [Symbol("@attach")]:focusFirst,});
     for(let choice of __sveltets_2_ensureArray(choices)){choice.name;
     { svelteHTML.createElement("li", {});
       { svelteHTML.createElement("button", {         "type":`button`,"aria-disabled":busy || undefined,...__sveltets_2_empty({"data-testid":`choice.${choice.name}`}),"onclick":() => {
          if (!busy) choice.choose();
        },});
         { svelteHTML.createElement("span", {   "class":`icon`,"aria-hidden":`true`,}); { const $$_noci_eciohc4C = __sveltets_2_ensureComponent(choice.icon); new $$_noci_eciohc4C({ target: __sveltets_2_any(), props: {  "size":20,}});} }
         { svelteHTML.createElement("span", { "class":`words`,});
           { svelteHTML.createElement("strong", {});choice.title; }
           { svelteHTML.createElement("span", {});choice.hint; }
         }
         { const $$_thgiRnorvehC3C = __sveltets_2_ensureComponent(ChevronRight); new $$_thgiRnorvehC3C({ target: __sveltets_2_any(), props: {    "size":16,"aria-hidden":`true`,}});}
       }
     }
  }
 }


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ChoiceList__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ChoiceList__SvelteComponent_ = ReturnType<typeof ChoiceList__SvelteComponent_>;
/*Ωignore_endΩ*/export default ChoiceList__SvelteComponent_;