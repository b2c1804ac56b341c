///<reference types="svelte" />
;
import { onMount } from 'svelte';
import ActionMenu from '../../../components/ActionMenu.svelte';
import FailureBar from '../../../components/FailureBar.svelte';
import InfoDialog from '../../../components/InfoDialog.svelte';
import type { MenuAction } from '../../../components/menu-action.ts';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import type { Party } from '../../../../shared/model/agreement.ts';
import type { PartyNotification } from '../../../../shared/model/remote-extras.ts';
import { reasonAgainst } from '../../../../shared/rules/action-reasons.ts';
import {
    notificationName,
    notificationText,
    recipientsText,
    whyNot,
  } from '../../../action-text.ts';
import { m } from '../../../language.svelte.ts';
import { asks } from '../../../state/agreement-asks.svelte.ts';
import { changes } from '../../../state/agreement-changes.svelte.ts';
import { extras } from '../../../state/agreement-extras.svelte.ts';

;type $$ComponentProps =  { agreement: AgreementDetails; party: Party };function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  
  
  

  const { agreement, party }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  let open = $state(true);
  const told = $derived(extras.partyOf(party.id)?.notifications ?? null);

  onMount(() => void extras.read());

  function groupsOf(notification: PartyNotification): readonly (readonly MenuAction[])[] {
    const { id } = notification;
    if (id === null) return [];
    const because = (action: Parameters<typeof reasonAgainst>[0]): string | null =>
      whyNot(reasonAgainst(action, agreement, agreement.api));
    const change = async (kind: 'recipients' | 'silence'): Promise<void> => {
      const { connectionId, id: agreementId } = agreement;
      const place = await changes.readPlace({ connectionId, id: agreementId }, party, id);
      if (place !== null) asks.ask({ kind, place });
    };
    return [
      [
        {
          id: 'remind',
          label: m.notification_resend(),
          reason:
            because('remind') ??
            (notification.recipients?.length === 0 ? m.notification_nobody() : null),
          run: () => asks.ask({ kind: 'remind', party, notification: { ...notification, id } }),
        },
        {
          id: 'recipients',
          label: m.notification_recipients(),
          reason: because('replaceRecipients'),
          run: () => void change('recipients'),
        },
      ],
      [
        {
          id: 'silence',
          label: m.notification_silence(),
          reason: because('silence'),
          danger: true,
          run: () => void change('silence'),
        },
      ],
    ];
  }
;
async () => {

 { const $$_golaiDofnI0C = __sveltets_2_ensureComponent(InfoDialog); const $$_golaiDofnI0 = new $$_golaiDofnI0C({ target: __sveltets_2_any(), props: {    children:() => { return __sveltets_2_any(0); },open,"title":m.notifications_title({ name: party.name }),"close":m.act_close(),}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_golaiDofnI0.$$bindings = 'open';
  if(extras.failure){
     { const $$_raBeruliaF1C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF1C({ target: __sveltets_2_any(), props: {    "failure":extras.failure,"onretry":() => void extras.read(),}});}
  } else if (extras.shown === null){
     { svelteHTML.createElement("p", {});m.act_reading(); }
  } else if (told === null){
     { svelteHTML.createElement("p", {});m.notifications_untold(); }
  } else if (told.length === 0){
     { svelteHTML.createElement("p", {});m.notifications_none(); }
  }else{
     { svelteHTML.createElement("ul", {});
          for(let notification of __sveltets_2_ensureArray(told)){let position = 1;notification.id ?? position;
        const name = notificationName(notification.type);
        const more = notificationText(notification);
         { svelteHTML.createElement("li", {});
           { svelteHTML.createElement("div", {});
             { svelteHTML.createElement("strong", {});name; }
             { svelteHTML.createElement("p", {});recipientsText(notification.recipients); }
            if(more !== ''){ { svelteHTML.createElement("p", {});more; }}
           }
          if(notification.id !== null){
             { const $$_uneMnoitcA3C = __sveltets_2_ensureComponent(ActionMenu); new $$_uneMnoitcA3C({ target: __sveltets_2_any(), props: {        "dots":true,"label":m.notification_menu({ type: name }),"groups":groupsOf(notification),"testid":`agreements.notification.${notification.type}`,}});}
          }
         }
      }
     }
  }
 InfoDialog}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const NotificationsDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type NotificationsDialog__SvelteComponent_ = ReturnType<typeof NotificationsDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default NotificationsDialog__SvelteComponent_;