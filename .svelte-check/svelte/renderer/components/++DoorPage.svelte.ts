///<reference types="svelte" />
;
import type { Snippet } from 'svelte';
;

  interface Props {
    title: string;
    lead: string;
    children: Snippet;
  };function $$render() {

  


  /** A page before the desk itself: one column, one question. */
  const { title, lead, children }: Props = $props();
;
async () => {

 { svelteHTML.createElement("main", {});
   { svelteHTML.createElement("div", { "class":`column`,});
     { svelteHTML.createElement("h1", { "tabindex":-1,});title; }
     { svelteHTML.createElement("p", {});lead; }
    ;__sveltets_2_ensureSnippet(children());
   }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const DoorPage__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type DoorPage__SvelteComponent_ = ReturnType<typeof DoorPage__SvelteComponent_>;
/*Ωignore_endΩ*/export default DoorPage__SvelteComponent_;