///<reference types="svelte" />
;
import type { Snippet } from 'svelte';
;

  interface Props {
    title: string;
    /** What the person can do now. */
    hint?: string;
    actions?: Snippet;
  };function $$render() {

  


  const { title, hint, actions }: Props = $props();
;
async () => {

 { svelteHTML.createElement("div", { "class":`empty`,});
   { svelteHTML.createElement("h2", {});title; }
  if(hint){ { svelteHTML.createElement("p", {});hint; }}
  if(actions){ { svelteHTML.createElement("div", { "class":`actions`,});;__sveltets_2_ensureSnippet(actions()); }}
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const EmptyState__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type EmptyState__SvelteComponent_ = ReturnType<typeof EmptyState__SvelteComponent_>;
/*Ωignore_endΩ*/export default EmptyState__SvelteComponent_;