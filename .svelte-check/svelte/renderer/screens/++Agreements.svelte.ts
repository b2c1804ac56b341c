///<reference types="svelte" />
;
import { onMount, tick, untrack } from 'svelte';
import Button from '../components/Button.svelte';
import Chips from '../components/Chips.svelte';
import FailureBar from '../components/FailureBar.svelte';
import ScreenHeader from '../components/ScreenHeader.svelte';
import SearchField from '../components/SearchField.svelte';
import SplitView from '../components/SplitView.svelte';
import { stateLooks } from '../agreement-text.ts';
import { m } from '../language.svelte.ts';
import { keyNames } from '../shell/key-names.ts';
import { details } from '../state/agreement-details.svelte.ts';
import { agreements, keyOf } from '../state/agreements.svelte.ts';
import { host } from '../state/host.svelte.ts';
import { go, router } from '../state/router.svelte.ts';
import { shortcuts } from '../state/shortcuts.svelte.ts';
import { sync } from '../state/sync.svelte.ts';
import { agreementCommands } from './agreements/agreement-commands.ts';
import AgreementList from './agreements/AgreementList.svelte';
import AgreementPane from './agreements/AgreementPane.svelte';
import Counters from './agreements/Counters.svelte';
import Freshness from './agreements/Freshness.svelte';
function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  

  const states = ['waiting', 'part-signed', 'signed', 'rejected', 'expired', 'revoked'] as const;
  const chips = $derived([
    { value: 'all' as const, label: m.agreements_state_all() },
    ...states.map((value) => ({ value, label: stateLooks[value].word({ native: '' }) })),
  ]);
  const chip = $derived(states.find((state) => state === agreements.filter.state) ?? 'all');
  const platform = $derived(host.value?.platform ?? 'linux');
  const syncFailure = $derived(sync.failing?.failure ?? sync.failure);

  /** In windows too narrow for three panes, the details cover the list until they are closed. */
  let covers = $state(router.parts.length > 0);
  let screen = $state<HTMLElement>();

  $effect(() => {
    const named = router.parts;
    untrack(() => {
      const last = details.key;
      // Coming back, one finds what one was looking at.
      if (named.length === 0 && last !== null) {
        router.replace('agreements', last.connectionId, last.id);
      } else details.show(named);
    });
  });

  onMount(() => shortcuts.offer(agreementCommands));

  const focusList = (): void => screen?.querySelector<HTMLElement>('[role=grid]')?.focus();

  async function close(): Promise<void> {
    covers = false;
    // A list that is still covered takes no focus.
    await tick();
    focusList();
  }
;
async () => {

 { const $$_div0 = svelteHTML.createElement("div", {  "class":`screen`,});screen = $$_div0;
   { const $$_redaeHneercS1C = __sveltets_2_ensureComponent(ScreenHeader); const $$_redaeHneercS1 = new $$_redaeHneercS1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"title":m.screen_agreements(),actions:() => { async ()/*Ωignore_positionΩ*/ => {
       { const $$_nottuB0C = __sveltets_2_ensureComponent(Button); new $$_nottuB0C({ target: __sveltets_2_any(), props: {         children:() => { return __sveltets_2_any(0); },"kind":`primary`,"keys":keyNames('$mod+n', platform),"onclick":() => go('drafts', 'new'),"data-testid":`agreements.new-draft`,}});
        m.command_new_draft();
       Button}
    };return __sveltets_2_any(0)},below:() => { async ()/*Ωignore_positionΩ*/ => {
      if(agreements.counts.value){ { const $$_sretnuoC0C = __sveltets_2_ensureComponent(Counters); new $$_sretnuoC0C({ target: __sveltets_2_any(), props: {  "counts":agreements.counts.value,}});}}
       { const $$_spihC0C = __sveltets_2_ensureComponent(Chips); new $$_spihC0C({ target: __sveltets_2_any(), props: {         "label":m.agreements_states(),"items":chips,"value":chip,"onchoose":(state) => void agreements.narrow(state === 'all' ? {} : { state }),}});}
       { const $$_ssenhserF0C = __sveltets_2_ensureComponent(Freshness); new $$_ssenhserF0C({ target: __sveltets_2_any(), props: {}});}
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {actions, below} = $$_redaeHneercS1.$$prop_def;/*Ωignore_endΩ*/
     { const $$_dleiFhcraeS2C = __sveltets_2_ensureComponent(SearchField); new $$_dleiFhcraeS2C({ target: __sveltets_2_any(), props: {             "label":m.agreements_search_label(),"placeholder":m.agreements_search(),"keys":keyNames('$mod+f', platform),"value":agreements.search,"oninput":(text) => void agreements.find(text),"ondown":focusList,}});}
    
    
   ScreenHeader}
  if(agreements.page.failure){
     { const $$_raBeruliaF1C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF1C({ target: __sveltets_2_any(), props: {    "failure":agreements.page.failure,"onretry":() => void agreements.refresh(),}});}
  } else if (syncFailure && syncFailure.code !== 'offline'){
     { const $$_raBeruliaF1C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF1C({ target: __sveltets_2_any(), props: {    "failure":syncFailure,"onretry":() => void sync.checkNow(),}});}
  }
   { svelteHTML.createElement("div", { "class":`panes`,});
     { const $$_weiVtilpS2C = __sveltets_2_ensureComponent(SplitView); const $$_weiVtilpS2 = new $$_weiVtilpS2C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"label":m.agreements_details(),"open":covers,"onclose":() => void close(),side:() => { async ()/*Ωignore_positionΩ*/ => { { const $$_enaPtnemeergA0C = __sveltets_2_ensureComponent(AgreementPane); new $$_enaPtnemeergA0C({ target: __sveltets_2_any(), props: {}});}};return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {side} = $$_weiVtilpS2.$$prop_def;/*Ωignore_endΩ*/
       { const $$_tsiLtnemeergA3C = __sveltets_2_ensureComponent(AgreementList); new $$_tsiLtnemeergA3C({ target: __sveltets_2_any(), props: {       "active":details.key === null ? null : keyOf(details.key),"onactive":(row) => router.replace('agreements', row.connectionId, row.id),"onopen":() => (covers = true),}});}
      
     SplitView}
   }
 }


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Agreements__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Agreements__SvelteComponent_ = ReturnType<typeof Agreements__SvelteComponent_>;
/*Ωignore_endΩ*/export default Agreements__SvelteComponent_;