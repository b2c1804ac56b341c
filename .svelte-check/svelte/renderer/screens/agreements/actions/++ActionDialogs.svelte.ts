///<reference types="svelte" />
;
import { onDestroy } from 'svelte';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import { asks } from '../../../state/agreement-asks.svelte.ts';
import { changes } from '../../../state/agreement-changes.svelte.ts';
import SaveDialog from '../SaveDialog.svelte';
import ChangedDialog from './ChangedDialog.svelte';
import DeadlinesDialog from './DeadlinesDialog.svelte';
import DeleteDialog from './DeleteDialog.svelte';
import DocumentsDialog from './DocumentsDialog.svelte';
import EmailDialog from './EmailDialog.svelte';
import FieldsDialog from './FieldsDialog.svelte';
import LinkDialog from './LinkDialog.svelte';
import NotificationsDialog from './NotificationsDialog.svelte';
import RecipientsDialog from './RecipientsDialog.svelte';
import RecordDialog from './RecordDialog.svelte';
import RejectDialog from './RejectDialog.svelte';
import RemindDialog from './RemindDialog.svelte';
import RevokeDialog from './RevokeDialog.svelte';
import ShareDialog from './ShareDialog.svelte';
import SilenceDialog from './SilenceDialog.svelte';

;type $$ComponentProps =  { agreement: AgreementDetails };function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  

  const { agreement }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const asked = $derived(asks.now);

  // Another agreement is shown: what was asked of this one is not asked of that.
  onDestroy(() => {
    asks.now = null;
    changes.conflict = null;
  });
;
async () => {


asked; {
  if(asked?.kind === 'save'){
     { const $$_golaiDevaS0C = __sveltets_2_ensureComponent(SaveDialog); new $$_golaiDevaS0C({ target: __sveltets_2_any(), props: { agreement,}});}
  } else if (asked?.kind === 'revoke'){
     { const $$_golaiDekoveR0C = __sveltets_2_ensureComponent(RevokeDialog); new $$_golaiDekoveR0C({ target: __sveltets_2_any(), props: { agreement,}});}
  } else if (asked?.kind === 'remove'){
     { const $$_golaiDeteleD0C = __sveltets_2_ensureComponent(DeleteDialog); new $$_golaiDeteleD0C({ target: __sveltets_2_any(), props: { agreement,}});}
  } else if (asked?.kind === 'deadlines'){
     { const $$_golaiDsenildaeD0C = __sveltets_2_ensureComponent(DeadlinesDialog); new $$_golaiDsenildaeD0C({ target: __sveltets_2_any(), props: { agreement,}});}
  } else if (asked?.kind === 'share'){
     { const $$_golaiDerahS0C = __sveltets_2_ensureComponent(ShareDialog); new $$_golaiDerahS0C({ target: __sveltets_2_any(), props: { agreement,}});}
  } else if (asked?.kind === 'fields'){
     { const $$_golaiDsdleiF0C = __sveltets_2_ensureComponent(FieldsDialog); new $$_golaiDsdleiF0C({ target: __sveltets_2_any(), props: { agreement,}});}
  } else if (asked?.kind === 'record'){
     { const $$_golaiDdroceR0C = __sveltets_2_ensureComponent(RecordDialog); new $$_golaiDdroceR0C({ target: __sveltets_2_any(), props: { agreement,}});}
  } else if (asked?.kind === 'documents'){
     { const $$_golaiDstnemucoD0C = __sveltets_2_ensureComponent(DocumentsDialog); new $$_golaiDstnemucoD0C({ target: __sveltets_2_any(), props: {   agreement,"documentId":asked.documentId,}});}
  } else if (asked?.kind === 'remind'){
     { const $$_golaiDdnimeR0C = __sveltets_2_ensureComponent(RemindDialog); new $$_golaiDdnimeR0C({ target: __sveltets_2_any(), props: {     agreement,"party":asked.party,"notification":asked.notification,}});}
  } else if (asked?.kind === 'email'){
     { const $$_golaiDliamE0C = __sveltets_2_ensureComponent(EmailDialog); new $$_golaiDliamE0C({ target: __sveltets_2_any(), props: {   agreement,"party":asked.party,}});}
  } else if (asked?.kind === 'notifications'){
     { const $$_golaiDsnoitacifitoN0C = __sveltets_2_ensureComponent(NotificationsDialog); new $$_golaiDsnoitacifitoN0C({ target: __sveltets_2_any(), props: {   agreement,"party":asked.party,}});}
  } else if (asked?.kind === 'link'){
     { const $$_golaiDkniL0C = __sveltets_2_ensureComponent(LinkDialog); new $$_golaiDkniL0C({ target: __sveltets_2_any(), props: {   agreement,"party":asked.party,}});}
  } else if (asked?.kind === 'reject'){
     { const $$_golaiDtcejeR0C = __sveltets_2_ensureComponent(RejectDialog); new $$_golaiDtcejeR0C({ target: __sveltets_2_any(), props: {   agreement,"party":asked.party,}});}
  } else if (asked?.kind === 'recipients'){
     { const $$_golaiDstneipiceR0C = __sveltets_2_ensureComponent(RecipientsDialog); new $$_golaiDstneipiceR0C({ target: __sveltets_2_any(), props: {  "place":asked.place,}});}
  } else if (asked?.kind === 'silence'){
     { const $$_golaiDecneliS0C = __sveltets_2_ensureComponent(SilenceDialog); new $$_golaiDecneliS0C({ target: __sveltets_2_any(), props: {   agreement,"place":asked.place,}});}
  }
}
changes.conflict; {
  if(changes.conflict){ { const $$_golaiDdegnahC0C = __sveltets_2_ensureComponent(ChangedDialog); new $$_golaiDdegnahC0C({ target: __sveltets_2_any(), props: {  "conflict":changes.conflict,}});}}
}
};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ActionDialogs__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ActionDialogs__SvelteComponent_ = ReturnType<typeof ActionDialogs__SvelteComponent_>;
/*Ωignore_endΩ*/export default ActionDialogs__SvelteComponent_;