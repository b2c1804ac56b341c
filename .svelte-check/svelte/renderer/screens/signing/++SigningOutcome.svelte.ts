///<reference types="svelte" />
;
import type { SignResult } from '../../../shared/contract/signing.ts';
import Button from '../../components/Button.svelte';
import { sentenceFor } from '../../failure-text.ts';
import { m } from '../../language.svelte.ts';
import { hrefOf } from '../../state/router.svelte.ts';

;type $$ComponentProps =  { result: SignResult; onclose: () => void };function $$render() {

  
  
  
  
  

  const { result, onclose }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();
;
async () => {

 { svelteHTML.createElement("section", {     "aria-label":m.signing_outcome(),"class":`outcome`,...__sveltets_2_empty({"data-testid":`signing.outcome`}),});
   { svelteHTML.createElement("p", { "class":`sum`,});
    m.signing_done({
      signed: result.signed.length,
      failed: result.failed.length,
      unknown: result.unknown.length,
    });
   }
   { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"kind":`quiet`,"onclick":onclose,}});m.close(); Button}
  if(result.failed.length + result.unknown.length > 0){
     { svelteHTML.createElement("ul", {});
         for(let item of __sveltets_2_ensureArray(result.failed)){`${item.connectionId}/${item.id}`;
         { svelteHTML.createElement("li", {}); { svelteHTML.createElement("strong", {});item.title; } sentenceFor(item.failure); }
      }
         for(let item of __sveltets_2_ensureArray(result.unknown)){`${item.connectionId}/${item.id}`;
         { svelteHTML.createElement("li", {});
           { svelteHTML.createElement("strong", {});item.title; }
          m.signing_unknown();  { svelteHTML.createElement("a", { "href":hrefOf('outbox'),});m.screen_outbox(); }
         }
      }
     }
  }
 }


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const SigningOutcome__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type SigningOutcome__SvelteComponent_ = ReturnType<typeof SigningOutcome__SvelteComponent_>;
/*Ωignore_endΩ*/export default SigningOutcome__SvelteComponent_;