///<reference types="svelte" />
;
import Confirm from '../../../components/Confirm.svelte';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import { formatNames } from '../../../format.ts';
import { m } from '../../../language.svelte.ts';
import { actions } from '../../../state/agreement-actions.svelte.ts';

;type $$ComponentProps =  { agreement: AgreementDetails };function $$render() {

  
  
  
  
  

  const { agreement }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  let open = $state(true);
  const title = $derived(agreement.title || m.agreements_untitled());
  const names = $derived(formatNames((agreement.parties ?? []).map((party) => party.name)));
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {          children:() => { return __sveltets_2_any(0); },open,"title":m.revoke_title(),"confirm":m.revoke_confirm({ count: 1 }),"cancel":m.common_cancel(),"danger":true,"onconfirm":() => {
    const { connectionId, id } = agreement;
    void actions.revoke([{ connectionId, id }]);
  },}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { svelteHTML.createElement("p", {});m.revoke_lead({ title }); }
  if(names !== ''){ { svelteHTML.createElement("p", {});m.revoke_parties({ names }); }}
 Confirm}
};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const RevokeDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type RevokeDialog__SvelteComponent_ = ReturnType<typeof RevokeDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default RevokeDialog__SvelteComponent_;