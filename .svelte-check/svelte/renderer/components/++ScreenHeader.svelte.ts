///<reference types="svelte" />
;
import type { Snippet } from 'svelte';
;

  interface Props {
    title: string;
    /** Beside the title: search, or what the screen stands on. */
    children?: Snippet;
    /** At the far end: what the screen is for. */
    actions?: Snippet;
    /** A second line: filters and freshness. */
    below?: Snippet;
  };function $$render() {

  


  const { title, children, actions, below }: Props = $props();
;
async () => {

 { svelteHTML.createElement("header", { "class":`head`,});
   { svelteHTML.createElement("div", { "class":`line`,});
    
     { svelteHTML.createElement("h1", {  "tabindex":-1,...__sveltets_2_empty({"data-screen-title":true}),});title; }
    if(children){ { svelteHTML.createElement("div", { "class":`middle`,});;__sveltets_2_ensureSnippet(children()); }}
    if(actions){ { svelteHTML.createElement("div", { "class":`actions`,});;__sveltets_2_ensureSnippet(actions()); }}
   }
  if(below){ { svelteHTML.createElement("div", { "class":`line below`,});;__sveltets_2_ensureSnippet(below()); }}
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ScreenHeader__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ScreenHeader__SvelteComponent_ = ReturnType<typeof ScreenHeader__SvelteComponent_>;
/*Ωignore_endΩ*/export default ScreenHeader__SvelteComponent_;