///<reference types="svelte" />
;
import { onMount } from 'svelte';
import type { SigningItem } from '../../shared/contract/signing.ts';
import Button from '../components/Button.svelte';
import EmptyState from '../components/EmptyState.svelte';
import FailureBar from '../components/FailureBar.svelte';
import Grid from '../components/Grid.svelte';
import ScreenHeader from '../components/ScreenHeader.svelte';
import SplitView from '../components/SplitView.svelte';
import StateBadge from '../components/StateBadge.svelte';
import { formatRelative } from '../format.ts';
import { m } from '../language.svelte.ts';
import { clock } from '../state/clock.svelte.ts';
import { connections } from '../state/connections.svelte.ts';
import { shortcuts } from '../state/shortcuts.svelte.ts';
import { keyOf, signing } from '../state/signing.svelte.ts';
import ConfirmSigning from './signing/ConfirmSigning.svelte';
import SigningAs from './signing/SigningAs.svelte';
import SigningOutcome from './signing/SigningOutcome.svelte';
import SigningSide from './signing/SigningSide.svelte';
function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  

  let asking = $state(false);
  let asked = $state.raw<readonly SigningItem[]>([]);

  const reason = $derived.by(() => {
    if (signing.signing) return m.signing_why_busy();
    if (signing.signer === null) return m.signing_why_nobody();
    return signing.chosen.length === 0 ? m.signing_why_none() : null;
  });
  const states = $derived({
    ready: { tone: 'waiting', word: m.signing_state_ready() },
    coming: { tone: 'draft', word: m.signing_state_coming() },
    doubtful: { tone: 'attention', word: m.signing_state_doubtful() },
    'under-way': { tone: 'out', word: m.signing_state_under_way() },
  } as const);

  /** What is asked about is fixed now: the list may change under an open dialog. */
  function ask(items: readonly SigningItem[]): void {
    if (signing.signer === null || items.length === 0) return;
    asked = items;
    asking = true;
  }

  $effect(() => {
    void connections.scope;
    void signing.queue.refresh();
  });

  onMount(() => {
    void signing.identities.refresh();
    return shortcuts.offer([
      {
        id: 'signing.sign',
        group: 'do',
        title: m.signing_sign_marked,
        keys: ['$mod+Enter'],
        reason: () => reason,
        run: () => ask(signing.chosen),
      },
    ]);
  });
;
async () => {

 { svelteHTML.createElement("div", { "class":`screen`,});
   { svelteHTML.createElement("div", {});
     { const $$_redaeHneercS2C = __sveltets_2_ensureComponent(ScreenHeader); const $$_redaeHneercS2 = new $$_redaeHneercS2C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"title":m.screen_signing(),actions:() => { async ()/*Ωignore_positionΩ*/ => {
         { const $$_nottuB0C = __sveltets_2_ensureComponent(Button); new $$_nottuB0C({ target: __sveltets_2_any(), props: {      children:() => { return __sveltets_2_any(0); },"kind":`primary`,"keys":`Ctrl Enter`,reason,"onclick":() => ask(signing.chosen),}});
          m.signing_sign({ count: signing.chosen.length });
         Button}
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {actions} = $$_redaeHneercS2.$$prop_def;/*Ωignore_endΩ*/
       { const $$_sAgningiS3C = __sveltets_2_ensureComponent(SigningAs); new $$_sAgningiS3C({ target: __sveltets_2_any(), props: {}});}
      
     ScreenHeader}
    if(signing.queue.failure){
       { const $$_raBeruliaF2C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF2C({ target: __sveltets_2_any(), props: {    "failure":signing.queue.failure,"onretry":() => void signing.queue.refresh(),}});}
    }
    if(signing.result){
       { const $$_emoctuOgningiS2C = __sveltets_2_ensureComponent(SigningOutcome); new $$_emoctuOgningiS2C({ target: __sveltets_2_any(), props: {    "result":signing.result,"onclose":() => (signing.result = null),}});}
    }
   }
  if(signing.queue.value !== null && signing.items.length === 0){
     { const $$_etatSytpmE1C = __sveltets_2_ensureComponent(EmptyState); new $$_etatSytpmE1C({ target: __sveltets_2_any(), props: {    "title":m.signing_empty(),"hint":m.signing_empty_hint(),}});}
  }else{
     { const $$_weiVtilpS1C = __sveltets_2_ensureComponent(SplitView); const $$_weiVtilpS1 = new $$_weiVtilpS1C({ target: __sveltets_2_any(), props: {       children:() => { return __sveltets_2_any(0); },"label":m.signing_details(),"open":signing.current !== null,"onclose":() => (signing.active = null),side:() => { async ()/*Ωignore_positionΩ*/ => {
        if(signing.current){
          const item = signing.current;
           { const $$_ediSgningiS0C = __sveltets_2_ensureComponent(SigningSide); new $$_ediSgningiS0C({ target: __sveltets_2_any(), props: {   item,"onsign":() => ask([item]),}});}
        }else{
           { svelteHTML.createElement("p", {});m.signing_choose_item(); }
        }
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {side} = $$_weiVtilpS1.$$prop_def;/*Ωignore_endΩ*/
       { const $$_dirG2C = __sveltets_2_ensureComponent(Grid); const $$_dirG2 = new $$_dirG2C({ target: __sveltets_2_any(), props: {                  "label":m.screen_signing(),"rows":signing.items,keyOf,"columns":[
          { title: m.signing_column_mark(), width: '3rem' },
          { title: m.column_title(), width: 'minmax(0, 2fr)' },
          { title: m.signing_for(), width: 'minmax(0, 1fr)' },
          { title: m.column_state(), width: '9.5rem' },
          { title: m.signing_expires(), width: '6.5rem' },
        ],"active":signing.active,"marked":signing.marked,"onactive":(key) => (signing.active = key),"onmark":(key) => signing.toggle(key),"onopen":(key) => signing.toggle(key),cells:(item) => { async ()/*Ωignore_positionΩ*/ => {
           { svelteHTML.createElement("div", { "role":`gridcell`,});
             { svelteHTML.createElement("input", {             "type":`checkbox`,"tabindex":-1,"aria-label":m.signing_mark({ title: item.title }),"checked":signing.marked.has(keyOf(item)),"disabled":item.state !== 'ready',"onclick":(event) => {
                event.stopPropagation();
                signing.toggle(keyOf(item));
              },});}
           }
           { svelteHTML.createElement("div", { "role":`gridcell`,});item.title; }
           { svelteHTML.createElement("div", { "role":`gridcell`,});item.partyName; }
           { svelteHTML.createElement("div", { "role":`gridcell`,}); { const $$_egdaBetatS1C = __sveltets_2_ensureComponent(StateBadge); new $$_egdaBetatS1C({ target: __sveltets_2_any(), props: { ...states[item.state],}});} }
           { svelteHTML.createElement("div", { "role":`gridcell`,});
            item.expiresAt === null ? m.never() : formatRelative(item.expiresAt, clock.now);
           }
        };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {cells} = $$_dirG2.$$prop_def;/*Ωignore_endΩ*/
        
       Grid}
      
     SplitView}
  }
 }

if(signing.signer){
   { const $$_gningiSmrifnoC0C = __sveltets_2_ensureComponent(ConfirmSigning); const $$_gningiSmrifnoC0 = new $$_gningiSmrifnoC0C({ target: __sveltets_2_any(), props: {       open:asking,"items":asked,"signer":signing.signer,}});/*Ωignore_startΩ*/() => asking = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_gningiSmrifnoC0.$$bindings = 'open';}
}


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const SigningQueue__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type SigningQueue__SvelteComponent_ = ReturnType<typeof SigningQueue__SvelteComponent_>;
/*Ωignore_endΩ*/export default SigningQueue__SvelteComponent_;