///<reference types="svelte" />
;
import Confirm from '../../../components/Confirm.svelte';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import { notificationName, recipientsText } from '../../../action-text.ts';
import { m } from '../../../language.svelte.ts';
import type { NotificationPlace } from '../../../state/agreement-asks.svelte.ts';
import { changes } from '../../../state/agreement-changes.svelte.ts';

;type $$ComponentProps =  { agreement: AgreementDetails; place: NotificationPlace };function $$render() {

  
  
  
  
  
  

  const { agreement, place }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  let open = $state(true);
  const { notification, party } = $derived(place);
  const type = $derived(notificationName(notification.type));
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {          children:() => { return __sveltets_2_any(0); },open,"title":m.silence_title({ type }),"confirm":m.silence_confirm(),"cancel":m.common_cancel(),"danger":true,"onconfirm":() => void changes.silence(place),}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { svelteHTML.createElement("p", {});m.silence_lead({ title: agreement.title || m.agreements_untitled(), name: party.name }); }
   { svelteHTML.createElement("p", {});m.silence_goes_to({ recipients: recipientsText(notification.recipients) }); }
 Confirm}
};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const SilenceDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type SilenceDialog__SvelteComponent_ = ReturnType<typeof SilenceDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default SilenceDialog__SvelteComponent_;