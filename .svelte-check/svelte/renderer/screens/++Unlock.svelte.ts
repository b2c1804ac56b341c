///<reference types="svelte" />
;
import type { VaultState } from '../../shared/contract/access.ts';
import Button from '../components/Button.svelte';
import DoorPage from '../components/DoorPage.svelte';
import FailureBar from '../components/FailureBar.svelte';
import { m } from '../language.svelte.ts';
import { access } from '../state/access.svelte.ts';
import PassphraseForm from './unlock/PassphraseForm.svelte';
function $$render() {

  
  
  
  
  
  
  

  const sentences = {
    ready: m.unlock_ready,
    locked: m.unlock_locked,
    dismissed: m.unlock_dismissed,
    denied: m.unlock_denied,
    'no-session': m.unlock_no_session,
    'entry-missing': m.unlock_entry_missing,
    'wrong-key': m.unlock_wrong_key,
    changed: m.unlock_changed,
  } as const satisfies Record<VaultState, () => string>;

  const told = $derived(access.state.value);
  const asksPassphrase = $derived(told?.store === 'passphrase' || (told?.passphraseSet ?? false));
  const lead = $derived.by(() => {
    if (told === null) return '';
    if (asksPassphrase && told.vault !== 'wrong-key') return m.unlock_enter_lead();
    return sentences[told.vault]();
  });
  /** The sentence of the credential store's own state would only be said twice. */
  const failure = $derived.by(() => {
    const latest = access.failure ?? told?.problem ?? null;
    return latest?.code === 'vault' && !asksPassphrase ? null : latest;
  });
;
async () => {

if(told){
   { const $$_egaProoD0C = __sveltets_2_ensureComponent(DoorPage); new $$_egaProoD0C({ target: __sveltets_2_any(), props: {  children:() => { return __sveltets_2_any(0); },"title":asksPassphrase ? m.unlock_enter_title() : m.unlock_title(),lead,}});
    if(failure){ { const $$_raBeruliaF1C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF1C({ target: __sveltets_2_any(), props: { failure,}});}}
    if(!asksPassphrase){
       { svelteHTML.createElement("div", {});
         { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {         children:() => { return __sveltets_2_any(0); },"kind":`primary`,"reason":access.busy ? m.unlock_trying() : null,"onclick":() => void access.retry(),"data-testid":`unlock.retry`,}});
          access.busy ? m.unlock_trying() : m.unlock_try_again();
         Button}
       }
    }
     { const $$_mroFesarhpssaP1C = __sveltets_2_ensureComponent(PassphraseForm); new $$_mroFesarhpssaP1C({ target: __sveltets_2_any(), props: {  "isSet":asksPassphrase,}});}
     { svelteHTML.createElement("section", {});
       { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"onclick":() => void access.openDemoProfile(),"data-testid":`unlock.demo`,}});
        m.unlock_demo();
       Button}
       { svelteHTML.createElement("p", {});m.unlock_demo_hint(); }
     }
   DoorPage}
}


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Unlock__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Unlock__SvelteComponent_ = ReturnType<typeof Unlock__SvelteComponent_>;
/*Ωignore_endΩ*/export default Unlock__SvelteComponent_;