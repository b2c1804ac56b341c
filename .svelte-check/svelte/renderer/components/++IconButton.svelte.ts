///<reference types="svelte" />
;
import type { Component } from 'svelte';
import type { HTMLButtonAttributes } from 'svelte/elements';
;

  interface Props extends HTMLButtonAttributes {
    icon: Component<{ size?: number }>;
    /** What it does; shown on hover and read out. */
    label: string;
    /** There is nothing more to do in its direction; it stays reachable. */
    inactive?: boolean;
  };function $$render() {

  
  


  const { icon: Icon, label, inactive = false, onclick, ...rest }: Props = $props();
;
async () => {

  { svelteHTML.createElement("button", {           "type":`button`,...rest,"aria-label":label,"title":label,"aria-disabled":inactive || undefined,"onclick":(event) => {
    if (!inactive) onclick?.(event);
  },});
   { svelteHTML.createElement("span", { "aria-hidden":`true`,}); { const $$_nocI2C = __sveltets_2_ensureComponent(Icon); new $$_nocI2C({ target: __sveltets_2_any(), props: {  "size":16,}});} }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const IconButton__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type IconButton__SvelteComponent_ = ReturnType<typeof IconButton__SvelteComponent_>;
/*Ωignore_endΩ*/export default IconButton__SvelteComponent_;