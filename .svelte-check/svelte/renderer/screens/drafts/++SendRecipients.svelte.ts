///<reference types="svelte" />
;
import Mail from '@lucide/svelte/icons/mail';
import MessageSquare from '@lucide/svelte/icons/message-square';
import type { DraftCheck } from '../../../shared/contract/drafts.ts';
import { m } from '../../language.svelte.ts';

;type $$ComponentProps =  { check: DraftCheck | null };function $$render() {

  
  
  
  

  const { check }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const recipients = $derived(check?.recipients ?? []);
;
async () => {


if(check === null || recipients.length === 0){
   { svelteHTML.createElement("p", {});m.draft_send_nobody(); }
}else{
  const { people, emails, sms } = check.contacts;
   { svelteHTML.createElement("p", { ...__sveltets_2_empty({"data-testid":`draft.send.people`}),});m.draft_send_people({ count: people, emails, sms }); }
   { svelteHTML.createElement("ul", {});
        for(let recipient of __sveltets_2_ensureArray(recipients)){let index = 1;index;
       { svelteHTML.createElement("li", {});
        if(recipient.medium === 'sms'){
           { const $$_erauqSegasseM2C = __sveltets_2_ensureComponent(MessageSquare); new $$_erauqSegasseM2C({ target: __sveltets_2_any(), props: {    "size":16,"aria-hidden":`true`,}});}
        }else{
           { const $$_liaM2C = __sveltets_2_ensureComponent(Mail); new $$_liaM2C({ target: __sveltets_2_any(), props: {    "size":16,"aria-hidden":`true`,}});}
        }
        if(recipient.address === ''){
           { svelteHTML.createElement("strong", {});m.draft_send_owner(); }
           { svelteHTML.createElement("span", {});m.draft_send_owner_address(); }
        }else{
           { svelteHTML.createElement("strong", {});recipient.name; }
           { svelteHTML.createElement("span", {});recipient.address; }
        }
       }
    }
   }
}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const SendRecipients__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type SendRecipients__SvelteComponent_ = ReturnType<typeof SendRecipients__SvelteComponent_>;
/*Ωignore_endΩ*/export default SendRecipients__SvelteComponent_;