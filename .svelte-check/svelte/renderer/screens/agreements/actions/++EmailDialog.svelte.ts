///<reference types="svelte" />
;
import { onMount } from 'svelte';
import Confirm from '../../../components/Confirm.svelte';
import Field from '../../../components/Field.svelte';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import type { Party } from '../../../../shared/model/agreement.ts';
import { isEmail } from '../../../../shared/rules/email.ts';
import { notificationName } from '../../../action-text.ts';
import { formatNames } from '../../../format.ts';
import { m } from '../../../language.svelte.ts';
import { changes } from '../../../state/agreement-changes.svelte.ts';
import { extras } from '../../../state/agreement-extras.svelte.ts';

;type $$ComponentProps =  { agreement: AgreementDetails; party: Party };function $$render() {

  
  
  
  
  
  
  
  
  
  
  

  const { agreement, party }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  let open = $state(true);
  let typed = $state('');
  let notifies = $state(true);
  let isRead = $state(false);

  const address = $derived(typed.trim());
  const told = $derived(extras.partyOf(party.id)?.notifications ?? []);
  const goesToOld = (recipients: (typeof told)[number]['recipients']): boolean =>
    recipients?.some(({ medium, address: to }) => medium === 'EMAIL' && to === party.email) ?? true;
  const moving = $derived(told.filter(({ recipients }) => goesToOld(recipients)));
  const staying = $derived(told.filter(({ recipients }) => !goesToOld(recipients)));
  const namesOf = (rows: typeof told): string =>
    formatNames(rows.map(({ type }) => notificationName(type)));

  const problem = $derived.by(() => {
    if (address === '') return null;
    if (!isEmail(address)) return m.email_wrong();
    return address === party.email ? m.email_same() : null;
  });
  const reason = $derived.by(() => {
    if (!isRead) return m.act_reading();
    return address === '' ? m.email_missing() : problem;
  });

  onMount(() => void extras.readForChange().then(() => (isRead = true)));
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {          children:() => { return __sveltets_2_any(0); },open,"title":m.email_title({ name: party.name }),"confirm":notifies ? m.email_confirm_notify() : m.email_confirm(),"cancel":m.common_cancel(),reason,"onconfirm":() => {
    const { connectionId, id } = agreement;
    void changes.correctEmail({ connectionId, id }, party, { address, notify: notifies });
  },}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {      "label":m.email_new(),"hint":party.email === null ? m.email_none() : m.email_now({ address: party.email }),problem,children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("input", {                id,"type":`email`,"autocomplete":`off`,"spellcheck":`false`,"aria-describedby":describedBy,"aria-invalid":invalid,"bind:value":typed,...__sveltets_2_empty({"data-testid":`agreements.email.address`}),});/*Ωignore_startΩ*/() => typed = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
  if(moving.length > 0){ { svelteHTML.createElement("p", {});m.email_moves({ names: namesOf(moving) }); }}
  if(staying.length > 0){ { svelteHTML.createElement("p", {});m.email_stays({ names: namesOf(staying) }); }}
   { svelteHTML.createElement("label", { "class":`check`,});
     { svelteHTML.createElement("input", {      "type":`checkbox`,"bind:checked":notifies,...__sveltets_2_empty({"data-testid":`agreements.email.notify`}),});/*Ωignore_startΩ*/() => notifies = __sveltets_2_any(null);/*Ωignore_endΩ*/}
     { svelteHTML.createElement("span", {});m.email_notify(); }
   }
  if(!notifies){ { svelteHTML.createElement("p", { "class":`care`,});m.email_tells_nobody({ name: party.name }); }}
 Confirm}
};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const EmailDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type EmailDialog__SvelteComponent_ = ReturnType<typeof EmailDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default EmailDialog__SvelteComponent_;