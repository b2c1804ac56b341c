///<reference types="svelte" />
;
import Facts from '../../components/Facts.svelte';
import FailureBar from '../../components/FailureBar.svelte';
import type { AgreementDetails } from '../../../shared/contract/agreements.ts';
import { extrasFacts } from '../../extras-text.ts';
import { m } from '../../language.svelte.ts';
import { extras } from '../../state/agreement-extras.svelte.ts';

;type $$ComponentProps =  { agreement: AgreementDetails };function $$render() {

  
  
  
  
  
  

  const { agreement }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const groups = $derived(
    extras.shown === null ? [] : extrasFacts(extras.shown, agreement.parties ?? []),
  );
;
async () => {


  { svelteHTML.createElement("details", {    "ontoggle":(event) => {
    if (event.currentTarget.open && extras.shown === null) void extras.read();
  },...__sveltets_2_empty({"data-testid":`agreements.extras`}),});
   { svelteHTML.createElement("summary", {});m.extras_title(); }
  if(extras.failure){
     { const $$_raBeruliaF1C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF1C({ target: __sveltets_2_any(), props: {    "failure":extras.failure,"onretry":() => void extras.read(),}});}
  } else if (extras.shown === null){
     { svelteHTML.createElement("p", {});m.act_reading(); }
  }else{
       for(let { title, rows } of __sveltets_2_ensureArray(groups)){title;
       { svelteHTML.createElement("h4", {});title; }
       { const $$_stcaF1C = __sveltets_2_ensureComponent(Facts); new $$_stcaF1C({ target: __sveltets_2_any(), props: { rows,}});}
    }
    if(groups.length === 0){ { svelteHTML.createElement("p", {});m.extras_nothing(); }}
  }
 }


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const AgreementExtras__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type AgreementExtras__SvelteComponent_ = ReturnType<typeof AgreementExtras__SvelteComponent_>;
/*Ωignore_endΩ*/export default AgreementExtras__SvelteComponent_;