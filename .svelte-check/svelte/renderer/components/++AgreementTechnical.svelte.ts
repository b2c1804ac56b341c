///<reference types="svelte" />
;
import type { AgreementDetails } from '../../shared/contract/agreements.ts';
import { formatDateTime } from '../format.ts';
import { m } from '../language.svelte.ts';
import Facts from './Facts.svelte';

;type $$ComponentProps =  { agreement: AgreementDetails };function $$render() {

  
  
  
  

  const { agreement }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const facts = $derived([
    { name: m.detail_id(), value: agreement.id },
    { name: m.detail_native_state(), value: agreement.nativeState },
    { name: m.detail_read_at(), value: formatDateTime(agreement.readAt) },
  ]);
  const native = $derived(JSON.stringify(JSON.parse(agreement.native), null, 2));
;
async () => {

 { const $$_stcaF0C = __sveltets_2_ensureComponent(Facts); new $$_stcaF0C({ target: __sveltets_2_any(), props: {  "rows":facts,}});}
 { svelteHTML.createElement("details", {});
   { svelteHTML.createElement("summary", {});m.detail_native(); }
  
   { svelteHTML.createElement("pre", { "tabindex":0,});native; }
 }


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const AgreementTechnical__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type AgreementTechnical__SvelteComponent_ = ReturnType<typeof AgreementTechnical__SvelteComponent_>;
/*Ωignore_endΩ*/export default AgreementTechnical__SvelteComponent_;