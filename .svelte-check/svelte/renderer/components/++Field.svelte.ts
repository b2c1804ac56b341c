///<reference types="svelte" />
;
import type { Snippet } from 'svelte';
;

  interface Props {
    label: string;
    hint?: string;
    /** What is wrong, in the person's language; announced with the control. */
    problem?: string | null;
    /** What to look at although it can stay as it is. */
    warning?: string | null;
    /** `3 of 25`, for limits. */
    counter?: string;
    /** Draws the control; give it `id` and `describedBy`. */
    children: Snippet<[{ id: string; describedBy: string | undefined; invalid: boolean }]>;
  };function $$render() {

  


  const { label, hint, problem = null, warning = null, counter, children }: Props = $props();
  const id = $props.id();
  const describedBy = $derived(
    [hint && `${id}-hint`, problem && `${id}-problem`, warning && `${id}-warning`]
      .filter(Boolean)
      .join(' ') || undefined,
  );
;
async () => {

 { svelteHTML.createElement("div", { "class":`field`,});
   { svelteHTML.createElement("div", { "class":`head`,});
     { svelteHTML.createElement("label", { "for":id,});label; }
    if(counter){ { svelteHTML.createElement("span", { "class":`counter`,});counter; }}
   }
  ;__sveltets_2_ensureSnippet(children({ id, describedBy, invalid: problem !== null }));
  if(hint){ { svelteHTML.createElement("p", {   "class":`hint`,"id":`${id}-hint`,});hint; }}
  if(problem){ { svelteHTML.createElement("p", {   "class":`problem`,"id":`${id}-problem`,});problem; }}
  if(warning){ { svelteHTML.createElement("p", {   "class":`warning`,"id":`${id}-warning`,});warning; }}
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Field__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Field__SvelteComponent_ = ReturnType<typeof Field__SvelteComponent_>;
/*Ωignore_endΩ*/export default Field__SvelteComponent_;