///<reference types="svelte" />
;
import Button from '../../components/Button.svelte';
import Confirm from '../../components/Confirm.svelte';
import Field from '../../components/Field.svelte';
import { AgreementId } from '../../../shared/contract/ids.ts';
import type { OutboxItem } from '../../../shared/contract/outbox.ts';
import { m } from '../../language.svelte.ts';
import { conditionOf } from '../../outbox-text.ts';
import { activity } from '../../state/activity.svelte.ts';
import { outbox } from '../../state/outbox.svelte.ts';
import { go } from '../../state/router.svelte.ts';

;type $$ComponentProps =  { item: OutboxItem };function $$render() {

  
  
  
  
  
  
  
  
  
  

  const { item }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const condition = $derived(conditionOf(item));
  const canSendNow = $derived(
    condition === 'held' || condition === 'queued' || condition === 'asks',
  );

  let sentOpen = $state(false);
  let notSentOpen = $state(false);
  let remoteId = $state('');

  const typedId = $derived(AgreementId.safeParse(remoteId.trim()));

  async function takeBack(): Promise<void> {
    const draftId = await outbox.undo(item.ref);
    if (draftId !== null) go('drafts', draftId);
  }

  async function look(): Promise<void> {
    if (await outbox.look(item.ref)) activity.say(m.outbox_looked());
  }

  async function abandon(): Promise<void> {
    const done = await outbox.abandon(item.ref);
    if (done && item.draftId !== null) go('drafts', item.draftId);
  }
;
async () => {

 { svelteHTML.createElement("div", { "class":`actions`,});
  if(condition === 'held'){
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"onclick":() => void takeBack(),"data-testid":`outbox.undo`,}});m.outbox_undo(); Button}
  } else if (condition === 'queued' || condition === 'asks'){
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"onclick":() => void takeBack(),"data-testid":`outbox.undo`,}});
      m.outbox_take_back();
     Button}
  }
  if(canSendNow){
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: {       children:() => { return __sveltets_2_any(0); },"kind":condition === 'asks' ? 'primary' : 'plain',"onclick":() => void outbox.sendNow(item.ref),"data-testid":`outbox.send-now`,}});
      m.outbox_send_now();
     Button}
  }
  if(condition === 'rejected'){
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"kind":`primary`,"onclick":() => void takeBack(),"data-testid":`outbox.edit`,}});
      item.draftId === null ? m.outbox_take_back() : m.outbox_edit_again();
     Button}
  }
  if(condition === 'unknown'){
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"kind":`primary`,"onclick":() => void look(),"data-testid":`outbox.look`,}});
      m.outbox_look();
     Button}
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => (sentOpen = true),}});m.outbox_was_sent(); Button}
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"kind":`danger`,"onclick":() => (notSentOpen = true),}});m.outbox_was_not_sent(); Button}
  }
  if(item.remoteId !== null){
    const id = item.remoteId;
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => go('agreements', item.connectionId, id),}});m.outbox_open(); Button}
  }
 }

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {            children:() => { return __sveltets_2_any(0); },open:sentOpen,"title":m.outbox_sent_title(),"confirm":m.outbox_sent_confirm(),"cancel":m.common_cancel(),"reason":typedId.success ? null : m.outbox_sent_missing(),"onconfirm":() => {
    if (typedId.success) void outbox.settleAsSent(item.ref, typedId.data);
  },}});/*Ωignore_startΩ*/() => sentOpen = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { svelteHTML.createElement("p", {});m.outbox_sent_lead(); }
   { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: { "label":m.outbox_sent_id(),children:({ id }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("input", {     id,"spellcheck":`false`,"bind:value":remoteId,});/*Ωignore_startΩ*/() => remoteId = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
 Confirm}
  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {           children:() => { return __sveltets_2_any(0); },open:notSentOpen,"title":m.outbox_not_sent_title(),"confirm":m.outbox_not_sent_confirm(),"cancel":m.common_cancel(),"danger":true,"onconfirm":() => void abandon(),}});/*Ωignore_startΩ*/() => notSentOpen = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { svelteHTML.createElement("p", {});item.kind === 'sign' ? m.outbox_not_sent_sign_lead() : m.outbox_not_sent_lead(); }
 Confirm}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const OutboxActions__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type OutboxActions__SvelteComponent_ = ReturnType<typeof OutboxActions__SvelteComponent_>;
/*Ωignore_endΩ*/export default OutboxActions__SvelteComponent_;