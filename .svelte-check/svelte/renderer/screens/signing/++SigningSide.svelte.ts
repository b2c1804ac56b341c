///<reference types="svelte" />
;
import type { SigningItem } from '../../../shared/contract/signing.ts';
import Button from '../../components/Button.svelte';
import { formatDateTime } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { connections } from '../../state/connections.svelte.ts';
import { go } from '../../state/router.svelte.ts';

;type $$ComponentProps =  { item: SigningItem; onsign: () => void };function $$render() {

  
  
  
  
  
  

  const { item, onsign }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const why = $derived(
    {
      ready: null,
      coming: m.signing_why_coming(),
      doubtful: m.signing_why_doubtful(),
      'under-way': m.signing_why_under_way(),
    }[item.state],
  );
;
async () => {

 { svelteHTML.createElement("div", { "class":`side`,});
   { svelteHTML.createElement("h2", {});item.title; }
   { svelteHTML.createElement("dl", {});
     { svelteHTML.createElement("dt", {});m.signing_for(); }
     { svelteHTML.createElement("dd", {});item.partyName; }
     { svelteHTML.createElement("dt", {});m.signing_connection(); }
     { svelteHTML.createElement("dd", {});connections.find(item.connectionId)?.name ?? ''; }
    if(item.since !== null){
       { svelteHTML.createElement("dt", {});m.signing_since(); }
       { svelteHTML.createElement("dd", {});formatDateTime(item.since); }
    }
     { svelteHTML.createElement("dt", {});m.signing_expires(); }
     { svelteHTML.createElement("dd", {});item.expiresAt === null ? m.never() : formatDateTime(item.expiresAt); }
   }
  if(item.restricted){ { svelteHTML.createElement("p", { "class":`note`,});m.signing_restricted(); }}
  if(why !== null){ { svelteHTML.createElement("p", { "class":`note`,});why; }}
   { svelteHTML.createElement("div", { "class":`actions`,});
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"kind":`primary`,"reason":why,"onclick":onsign,}});m.signing_sign_this(); Button}
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => go('agreements', item.connectionId, item.id),}});
      m.signing_show_agreement();
     Button}
   }
 }


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const SigningSide__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type SigningSide__SvelteComponent_ = ReturnType<typeof SigningSide__SvelteComponent_>;
/*Ωignore_endΩ*/export default SigningSide__SvelteComponent_;