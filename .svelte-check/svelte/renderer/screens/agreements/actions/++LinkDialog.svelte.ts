///<reference types="svelte" />
;
import Confirm from '../../../components/Confirm.svelte';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import type { Party } from '../../../../shared/model/agreement.ts';
import { m } from '../../../language.svelte.ts';
import { actions } from '../../../state/agreement-actions.svelte.ts';

;type $$ComponentProps =  { agreement: AgreementDetails; party: Party };function $$render() {

  
  
  
  
  

  const { agreement, party }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  let open = $state(true);
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {         children:() => { return __sveltets_2_any(0); },open,"title":m.link_title({ name: party.name }),"confirm":m.link_confirm(),"cancel":m.common_cancel(),"onconfirm":() => {
    const { connectionId, id } = agreement;
    void actions.copyLink({ connectionId, id }, party.id);
  },}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { svelteHTML.createElement("p", {});m.link_lead({ name: party.name }); }
   { svelteHTML.createElement("p", { "class":`masked`,});m.link_masked(); }
 Confirm}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const LinkDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type LinkDialog__SvelteComponent_ = ReturnType<typeof LinkDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default LinkDialog__SvelteComponent_;