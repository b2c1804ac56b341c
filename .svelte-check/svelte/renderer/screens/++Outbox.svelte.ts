///<reference types="svelte" />
;
import { tick } from 'svelte';
import EmptyState from '../components/EmptyState.svelte';
import FailureBar from '../components/FailureBar.svelte';
import Grid from '../components/Grid.svelte';
import ScreenHeader from '../components/ScreenHeader.svelte';
import SplitView from '../components/SplitView.svelte';
import StateBadge from '../components/StateBadge.svelte';
import { formatNames } from '../format.ts';
import { m } from '../language.svelte.ts';
import { conditionOf, lookOf, nextText } from '../outbox-text.ts';
import { clock } from '../state/clock.svelte.ts';
import { outbox } from '../state/outbox.svelte.ts';
import { router } from '../state/router.svelte.ts';
import OutboxPane from './outbox/OutboxPane.svelte';
function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  
  
  

  const columns = $derived([
    { title: m.outbox_column_state(), width: '10.5rem' },
    { title: m.outbox_column_what(), width: 'minmax(0, 1.2fr)' },
    { title: m.outbox_column_people(), width: 'minmax(0, 1fr)' },
    { title: m.outbox_column_attempts(), width: '4.5rem' },
    { title: m.outbox_column_next(), width: '5.5rem' },
  ]);
  const active = $derived(router.parts[0] ?? null);
  const item = $derived(outbox.items.find(({ ref }) => ref === active) ?? null);

  let covers = $state(router.parts.length > 0);
  let screen = $state<HTMLElement>();

  async function close(): Promise<void> {
    covers = false;
    // A list that is still covered takes no focus.
    await tick();
    screen?.querySelector<HTMLElement>('[role=grid]')?.focus();
  }
;
async () => {

 { const $$_div0 = svelteHTML.createElement("div", {  "class":`screen`,});screen = $$_div0;
   { const $$_redaeHneercS1C = __sveltets_2_ensureComponent(ScreenHeader); new $$_redaeHneercS1C({ target: __sveltets_2_any(), props: {  "title":m.screen_outbox(),}});}
  if(outbox.list.failure){
     { const $$_raBeruliaF1C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF1C({ target: __sveltets_2_any(), props: {    "failure":outbox.list.failure,"onretry":() => void outbox.list.refresh(),}});}
  }
  if(outbox.items.length > 0){
     { svelteHTML.createElement("div", {   "class":`panes`,...__sveltets_2_empty({"data-testid":`outbox.grid`}),});
       { const $$_weiVtilpS2C = __sveltets_2_ensureComponent(SplitView); const $$_weiVtilpS2 = new $$_weiVtilpS2C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"label":m.outbox_details(),"open":covers,"onclose":() => void close(),side:() => { async ()/*Ωignore_positionΩ*/ => {
          if(item){
            item.ref; { { const $$_enaPxobtuO0C = __sveltets_2_ensureComponent(OutboxPane); new $$_enaPxobtuO0C({ target: __sveltets_2_any(), props: { item,}});}}
          }else{
             { const $$_etatSytpmE0C = __sveltets_2_ensureComponent(EmptyState); new $$_etatSytpmE0C({ target: __sveltets_2_any(), props: {    "title":m.outbox_pick_title(),"hint":m.outbox_pick_hint(),}});}
          }
        };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {side} = $$_weiVtilpS2.$$prop_def;/*Ωignore_endΩ*/
         { const $$_dirG3C = __sveltets_2_ensureComponent(Grid); const $$_dirG3 = new $$_dirG3C({ target: __sveltets_2_any(), props: {               "label":m.outbox_list(),"rows":outbox.items,"keyOf":(row) => row.ref,columns,active,"onactive":(ref) => router.replace('outbox', ref),"onpick":() => (covers = true),"onopen":() => (covers = true),cells:(row) => { async ()/*Ωignore_positionΩ*/ => {
            const look = lookOf(conditionOf(row));
             { svelteHTML.createElement("div", { "role":`gridcell`,}); { const $$_egdaBetatS1C = __sveltets_2_ensureComponent(StateBadge); new $$_egdaBetatS1C({ target: __sveltets_2_any(), props: {    "tone":look.tone,"word":look.word(),}});} }
             { svelteHTML.createElement("div", {   "role":`gridcell`,"title":row.title,});row.title || m.agreements_untitled(); }
             { svelteHTML.createElement("div", {   "role":`gridcell`,"class":`second`,});formatNames(row.people); }
             { svelteHTML.createElement("div", {   "role":`gridcell`,"class":`second`,});row.attempts; }
             { svelteHTML.createElement("div", {   "role":`gridcell`,"class":`second`,});nextText(row, clock.now); }
          };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {cells} = $$_dirG3.$$prop_def;/*Ωignore_endΩ*/
          
         Grid}
        
       SplitView}
     }
  } else if (outbox.list.value !== null){
     { const $$_etatSytpmE1C = __sveltets_2_ensureComponent(EmptyState); new $$_etatSytpmE1C({ target: __sveltets_2_any(), props: {    "title":m.outbox_none_title(),"hint":m.outbox_none_hint(),}});}
  }
 }


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Outbox__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Outbox__SvelteComponent_ = ReturnType<typeof Outbox__SvelteComponent_>;
/*Ωignore_endΩ*/export default Outbox__SvelteComponent_;