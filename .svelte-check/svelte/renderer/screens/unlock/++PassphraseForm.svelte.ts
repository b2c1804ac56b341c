///<reference types="svelte" />
;
import { MIN_PASSPHRASE } from '../../../shared/contract/access.ts';
import Button from '../../components/Button.svelte';
import Field from '../../components/Field.svelte';
import { m } from '../../language.svelte.ts';
import { access } from '../../state/access.svelte.ts';

;type $$ComponentProps =  { isSet: boolean };function $$render() {

  
  
  
  
  

  /** Whether the data already has a passphrase, so that it is asked for and not chosen. */
  const { isSet }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  let wanted = $state(false);
  let passphrase = $state('');
  let again = $state('');
  let checked = $state(false);

  const isShown = $derived(isSet || wanted);
  const tooShort = $derived(
    passphrase.length < MIN_PASSPHRASE ? m.unlock_too_short({ least: MIN_PASSPHRASE }) : null,
  );
  const differs = $derived(!isSet && again !== passphrase ? m.unlock_differs() : null);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    checked = true;
    if (tooShort !== null || differs !== null || access.busy) return;
    await access.usePassphrase(passphrase);
  }
;
async () => {

if(isShown){
   { svelteHTML.createElement("form", {   "onsubmit":submit,...__sveltets_2_empty({"data-testid":`unlock.passphrase`}),});
    if(!isSet){
       { svelteHTML.createElement("h2", {});m.unlock_passphrase_title(); }
       { svelteHTML.createElement("p", {});m.unlock_passphrase_hint(); }
    }
     { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {   "label":m.unlock_passphrase(),"problem":checked ? tooShort : null,children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
         { svelteHTML.createElement("input", {             id,"type":`password`,"autocomplete":isSet ? 'current-password' : 'new-password',"aria-describedby":describedBy,"aria-invalid":invalid,"bind:value":passphrase,[Symbol("@attach")]:(input) => input.focus(),});/*Ωignore_startΩ*/() => passphrase = __sveltets_2_any(null);/*Ωignore_endΩ*/}
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
      
     Field}
    if(!isSet){
       { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {   "label":m.unlock_passphrase_again(),"problem":checked ? differs : null,children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
           { svelteHTML.createElement("input", {            id,"type":`password`,"autocomplete":`new-password`,"aria-describedby":describedBy,"aria-invalid":invalid,"bind:value":again,});/*Ωignore_startΩ*/() => again = __sveltets_2_any(null);/*Ωignore_endΩ*/}
        };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
        
       Field}
    }
     { svelteHTML.createElement("div", {});
       { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {       children:() => { return __sveltets_2_any(0); },"type":`submit`,"kind":isSet ? 'primary' : 'plain',"reason":access.busy ? m.connection_busy() : null,}});
        isSet ? m.unlock_open() : m.unlock_choose();
       Button}
     }
   }
}else{
   { svelteHTML.createElement("div", {});
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"onclick":() => (wanted = true),"data-testid":`unlock.choose-passphrase`,}});
      m.unlock_passphrase_title();
     Button}
   }
}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const PassphraseForm__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type PassphraseForm__SvelteComponent_ = ReturnType<typeof PassphraseForm__SvelteComponent_>;
/*Ωignore_endΩ*/export default PassphraseForm__SvelteComponent_;