///<reference types="svelte" />
;
import { untrack } from 'svelte';
import Button from '../../../components/Button.svelte';
import Chips from '../../../components/Chips.svelte';
import FailureBar from '../../../components/FailureBar.svelte';
import InfoDialog from '../../../components/InfoDialog.svelte';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import { reasonAgainst } from '../../../../shared/rules/action-reasons.ts';
import { whyNot } from '../../../action-text.ts';
import { m } from '../../../language.svelte.ts';
import { activity } from '../../../state/activity.svelte.ts';
import { RawRecord } from '../../../state/raw-record.svelte.ts';

;type $$ComponentProps =  { agreement: AgreementDetails };function $$render() {

  
  
  
  
  
  
  
  
  
  
  

  const { agreement }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  let open = $state(true);
  const { connectionId, id, api } = untrack(() => agreement);
  const record = new RawRecord({ connectionId, id });
  const withoutXml = $derived(whyNot(reasonAgainst('rawXml', agreement, api)));

  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(record.text ?? '');
    activity.say(m.act_copied());
  }
;
async () => {

 { const $$_golaiDofnI0C = __sveltets_2_ensureComponent(InfoDialog); const $$_golaiDofnI0 = new $$_golaiDofnI0C({ target: __sveltets_2_any(), props: {    children:() => { return __sveltets_2_any(0); },open,"wide":true,"title":m.record_title(),"close":m.act_close(),actions:() => { async ()/*Ωignore_positionΩ*/ => {
     { const $$_nottuB0C = __sveltets_2_ensureComponent(Button); new $$_nottuB0C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"reason":record.text === null ? m.act_reading() : null,"onclick":() => void copy(),}});
      m.act_copy();
     Button}
  };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_golaiDofnI0.$$bindings = 'open';/*Ωignore_startΩ*/const {actions} = $$_golaiDofnI0.$$prop_def;/*Ωignore_endΩ*/
  
  if(withoutXml === null){
     { const $$_spihC1C = __sveltets_2_ensureComponent(Chips); new $$_spihC1C({ target: __sveltets_2_any(), props: {         "label":m.record_form(),"items":[
        { value: 'json' as const, label: 'JSON' },
        { value: 'xml' as const, label: 'XML' },
      ],"value":record.form,"onchoose":(form) => record.choose(form),}});}
  }
   { svelteHTML.createElement("p", { "class":`quiet-text`,});m.record_lead(); withoutXml ?? ''; }
  if(record.failure){
     { const $$_raBeruliaF1C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF1C({ target: __sveltets_2_any(), props: {    "failure":record.failure,"onretry":() => record.choose(record.form),}});}
  } else if (record.text === null){
     { svelteHTML.createElement("p", {});m.act_reading(); }
  }else{
    
    
     { svelteHTML.createElement("pre", {      "tabindex":0,"aria-label":m.record_title(),...__sveltets_2_empty({"data-testid":`agreements.record`}),});record.text; }
  }
 InfoDialog}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const RecordDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type RecordDialog__SvelteComponent_ = ReturnType<typeof RecordDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default RecordDialog__SvelteComponent_;