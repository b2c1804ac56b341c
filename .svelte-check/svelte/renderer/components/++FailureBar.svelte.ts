///<reference types="svelte" />
;
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
import type { Failure } from '../../shared/errors.ts';
import { copyText } from '../copy-text.ts';
import { detailsOf, sentenceFor } from '../failure-text.ts';
import { m } from '../language.svelte.ts';
import Button from './Button.svelte';
;

  interface Props {
    failure: Failure;
    onretry?: () => void;
  };function $$render() {

  
  
  
  
  
  


  const { failure, onretry }: Props = $props();

  let copied = $state(false);

  function copy(): void {
    copyText(detailsOf(failure));
    copied = true;
  }
;
async () => {

 { svelteHTML.createElement("div", {   "class":`bar`,...__sveltets_2_empty({"data-testid":`failure`}),});
   { const $$_trelAelgnairT1C = __sveltets_2_ensureComponent(TriangleAlert); new $$_trelAelgnairT1C({ target: __sveltets_2_any(), props: {    "size":16,"aria-hidden":`true`,}});}
   { svelteHTML.createElement("p", {});sentenceFor(failure); }
   { svelteHTML.createElement("div", { "class":`actions`,});
    if(onretry){ { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":onretry,}});m.failure_try_again(); Button}}
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"kind":`quiet`,"onclick":copy,}});
      copied ? m.failure_copied() : m.failure_copy_details();
     Button}
   }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const FailureBar__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type FailureBar__SvelteComponent_ = ReturnType<typeof FailureBar__SvelteComponent_>;
/*Ωignore_endΩ*/export default FailureBar__SvelteComponent_;