///<reference types="svelte" />
;
import { untrack } from 'svelte';
import Trash2 from '@lucide/svelte/icons/trash-2';
import Button from '../../../components/Button.svelte';
import Confirm from '../../../components/Confirm.svelte';
import Field from '../../../components/Field.svelte';
import IconButton from '../../../components/IconButton.svelte';
import type { NewRecipient } from '../../../../shared/contract/actions.ts';
import { isEmail } from '../../../../shared/rules/email.ts';
import { toE164 } from '../../../../shared/rules/phone.ts';
import { notificationName } from '../../../action-text.ts';
import { m } from '../../../language.svelte.ts';
import type { NotificationPlace } from '../../../state/agreement-asks.svelte.ts';
import { changes } from '../../../state/agreement-changes.svelte.ts';

;type $$ComponentProps =  { place: NotificationPlace };function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  
  

  const { place }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const { notification, party } = untrack(() => place);

  let open = $state(true);
  let list = $state<HTMLElement>();
  // One notification has one medium: mail and text messages never share one (API v1, "Notification").
  const medium = notification.recipients?.[0]?.medium === 'SMS' ? 'SMS' : 'EMAIL';
  const addresses = $state((notification.recipients ?? []).map(({ address }) => ({ address })));
  const recipients = $derived(
    addresses
      .map(({ address }) => address.trim())
      .filter((address) => address !== '')
      .map((typed): NewRecipient => {
        const number = medium === 'SMS' ? toE164(typed) : null;
        return { medium, address: number ?? typed };
      }),
  );
  const isGood = (address: string): boolean =>
    medium === 'SMS' ? toE164(address) !== null : isEmail(address);
  const isSame = $derived(
    recipients.map(({ address }) => address).join(' ') ===
      (notification.recipients ?? []).map(({ address }) => address).join(' '),
  );
  const reason = $derived.by(() => {
    if (recipients.some(({ address }) => !isGood(address))) return m.recipients_wrong();
    return isSame ? m.deadlines_same() : null;
  });

  function focusLast(): void {
    list?.querySelector<HTMLElement>('li:last-child input')?.focus();
  }

  function problemOf(address: string): string | null {
    if (address.trim() === '' || isGood(address.trim())) return null;
    return medium === 'SMS' ? m.recipients_wrong_phone() : m.email_wrong();
  }
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {            children:() => { return __sveltets_2_any(0); },open,"title":m.recipients_title({ type: notificationName(notification.type), name: party.name }),"confirm":recipients.length === 0
    ? m.recipients_confirm_nobody()
    : m.recipients_confirm({ count: recipients.length }),"cancel":m.common_cancel(),"danger":recipients.length === 0,reason,"onconfirm":() => void changes.replaceRecipients(place, recipients),}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { svelteHTML.createElement("p", {});m.recipients_lead(); }
   { const $$_ul1 = svelteHTML.createElement("ul", { });list = $$_ul1;
        for(let row of __sveltets_2_ensureArray(addresses)){let position = 1;row;
       { svelteHTML.createElement("li", {});
         { const $$_dleiF3C = __sveltets_2_ensureComponent(Field); const $$_dleiF3 = new $$_dleiF3C({ target: __sveltets_2_any(), props: {     "label":medium === 'SMS' ? m.recipients_phone() : m.recipients_email(),"problem":problemOf(row.address),children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
             { svelteHTML.createElement("input", {                id,"type":medium === 'SMS' ? 'tel' : 'email',"autocomplete":`off`,"spellcheck":`false`,"aria-describedby":describedBy,"aria-invalid":invalid,"bind:value":row.address,...__sveltets_2_empty({"data-testid":`agreements.recipient.${position}`}),});/*Ωignore_startΩ*/() => row.address = __sveltets_2_any(null);/*Ωignore_endΩ*/}
          };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF3.$$prop_def;/*Ωignore_endΩ*/
          
         Field}
         { const $$_nottuBnocI3C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI3C({ target: __sveltets_2_any(), props: {       "icon":Trash2,"label":m.recipients_remove({ address: row.address }),"onclick":() => addresses.splice(position, 1),}});}
       }
    }
   }
   { svelteHTML.createElement("div", {});
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"onclick":() => {
        addresses.push({ address: '' });
        requestAnimationFrame(focusLast);
      },"data-testid":`agreements.recipient.add`,}});
      m.recipients_add();
     Button}
   }
  if(recipients.length === 0){ { svelteHTML.createElement("p", { "class":`care`,});m.recipients_nobody(); }}
 Confirm}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const RecipientsDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type RecipientsDialog__SvelteComponent_ = ReturnType<typeof RecipientsDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default RecipientsDialog__SvelteComponent_;