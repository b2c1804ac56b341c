///<reference types="svelte" />
;
import type { Snippet } from 'svelte';
import type { HTMLButtonAttributes } from 'svelte/elements';
;

  interface Props extends HTMLButtonAttributes {
    kind?: 'plain' | 'primary' | 'danger' | 'quiet';
    /** Why it cannot be pressed now. The button stays reachable, so that the reason can be heard. */
    reason?: string | null;
    /** Shown after the label, `Ctrl N`. */
    keys?: string;
    children: Snippet;
  };function $$render() {

  
  


  const { kind = 'plain', reason = null, keys, children, onclick, ...rest }: Props = $props();
  const reasonId = $props.id();
;
async () => {

  { svelteHTML.createElement("button", {             "type":`button`,...rest,"class":['button', kind],"aria-disabled":reason !== null || undefined,"aria-describedby":reason === null ? undefined : reasonId,"title":reason ?? rest.title,"onclick":(event) => {
    if (reason === null) onclick?.(event);
    else event.preventDefault();
  },});
  ;__sveltets_2_ensureSnippet(children());
  if(keys){ { svelteHTML.createElement("kbd", { "aria-hidden":`true`,});keys; }}
 }
if(reason !== null){ { svelteHTML.createElement("span", {   "id":reasonId,"class":`visually-hidden`,});reason; }}


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Button__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Button__SvelteComponent_ = ReturnType<typeof Button__SvelteComponent_>;
/*Ωignore_endΩ*/export default Button__SvelteComponent_;