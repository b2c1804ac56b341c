///<reference types="svelte" />
;
import { untrack } from 'svelte';
import Download from '@lucide/svelte/icons/download';
import { reasonAgainst } from '../../../shared/rules/action-reasons.ts';
import { whyNot } from '../../action-text.ts';
import { badgeOf, timelineText } from '../../agreement-text.ts';
import ActionMenu from '../../components/ActionMenu.svelte';
import AgreementDocuments from '../../components/AgreementDocuments.svelte';
import AgreementParties from '../../components/AgreementParties.svelte';
import AgreementTechnical from '../../components/AgreementTechnical.svelte';
import EmptyState from '../../components/EmptyState.svelte';
import FailureBar from '../../components/FailureBar.svelte';
import Facts from '../../components/Facts.svelte';
import IconButton from '../../components/IconButton.svelte';
import StateBadge from '../../components/StateBadge.svelte';
import type { AgreementDetails } from '../../../shared/contract/agreements.ts';
import { formatDate, formatDateTime, formatRelative } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { asks } from '../../state/agreement-asks.svelte.ts';
import { book } from '../../state/agreement-book.svelte.ts';
import { details } from '../../state/agreement-details.svelte.ts';
import ActionDialogs from './actions/ActionDialogs.svelte';
import { partyGroups, reasonFor } from './agreement-action-list.ts';
import AgreementActions from './AgreementActions.svelte';
import AgreementExtras from './AgreementExtras.svelte';
import UnknownNotes from './UnknownNotes.svelte';
function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  

  const agreement = $derived(details.shown);
  const badge = $derived(agreement === null ? null : badgeOf(agreement));
  const now = Date.now();

  $effect(() => {
    if (details.key !== null) untrack(() => void book.refresh());
  });

  function datesOf({ sentAt, createdAt, expiresAt, closedAt }: AgreementDetails): string {
    const dates = [
      sentAt !== null ? m.detail_sent({ date: formatDateTime(sentAt) }) : '',
      sentAt === null && createdAt !== null
        ? m.detail_created({ date: formatDateTime(createdAt) })
        : '',
      closedAt !== null ? m.detail_closed({ date: formatDateTime(closedAt) }) : '',
    ];
    if (closedAt === null && expiresAt !== null) {
      dates.push(
        expiresAt > now
          ? m.detail_expires({ when: formatRelative(expiresAt, now) })
          : m.detail_expired({ date: formatDate(expiresAt) }),
      );
    }
    return dates.filter((part) => part !== '').join(' · ');
  }
;
async () => {

if(details.failure && details.key){
   { const $$_raBeruliaF0C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF0C({ target: __sveltets_2_any(), props: {    "failure":details.failure,"onretry":() => void details.reload(),}});}
}
if(agreement && badge){
   { svelteHTML.createElement("article", { ...__sveltets_2_empty({"data-testid":`agreements.details`}),});
     { svelteHTML.createElement("header", {});
       { svelteHTML.createElement("h2", {});agreement.title || m.agreements_untitled(); }
       { svelteHTML.createElement("div", {}); { const $$_egdaBetatS3C = __sveltets_2_ensureComponent(StateBadge); new $$_egdaBetatS3C({ target: __sveltets_2_any(), props: {    "tone":badge.tone,"word":badge.word,}});} }
       { svelteHTML.createElement("p", {});datesOf(agreement); }
      if(agreement.deletesAt !== null){
         { svelteHTML.createElement("p", {});m.detail_deletes({ date: formatDate(agreement.deletesAt) }); }
      }
      if(agreement.archivedFile !== null){
         { svelteHTML.createElement("p", {});m.detail_archived({ file: agreement.archivedFile }); }
      }
      if(agreement.gone !== null){
         { svelteHTML.createElement("p", { "class":`gone`,});
          agreement.gone === 'deleted' ? m.detail_gone_deleted() : m.detail_gone_no_access();
         }
      }
     }
     { const $$_setoNnwonknU1C = __sveltets_2_ensureComponent(UnknownNotes); new $$_setoNnwonknU1C({ target: __sveltets_2_any(), props: {}});}
     { const $$_snoitcAtnemeergA1C = __sveltets_2_ensureComponent(AgreementActions); new $$_snoitcAtnemeergA1C({ target: __sveltets_2_any(), props: { agreement,}});}
     { svelteHTML.createElement("section", {});
       { svelteHTML.createElement("h3", {});m.detail_parties(); }
      if(agreement.parties === null){
         { svelteHTML.createElement("p", {});m.detail_parties_unread(); }
      }else{
         { const $$_seitraPtnemeergA2C = __sveltets_2_ensureComponent(AgreementParties); const $$_seitraPtnemeergA2 = new $$_seitraPtnemeergA2C({ target: __sveltets_2_any(), props: { "parties":agreement.parties,tools:(party) => { async ()/*Ωignore_positionΩ*/ => {
             { const $$_uneMnoitcA0C = __sveltets_2_ensureComponent(ActionMenu); new $$_uneMnoitcA0C({ target: __sveltets_2_any(), props: {        "dots":true,"label":m.act_party_menu({ name: party.name }),"groups":partyGroups(agreement, party),"testid":`agreements.party`,}});}
          };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {tools} = $$_seitraPtnemeergA2.$$prop_def;/*Ωignore_endΩ*/
          
         AgreementParties}
      }
     }
     { svelteHTML.createElement("section", {});
       { svelteHTML.createElement("h3", {});m.detail_documents(); }
      if(agreement.documents === null){
         { svelteHTML.createElement("p", {});
          whyNot(reasonAgainst('saveDocuments', null, agreement.api)) ??
            m.detail_documents_unread();
         }
      }else{
         { const $$_stnemucoDtnemeergA2C = __sveltets_2_ensureComponent(AgreementDocuments); const $$_stnemucoDtnemeergA2 = new $$_stnemucoDtnemeergA2C({ target: __sveltets_2_any(), props: { "documents":agreement.documents,tools:({ id, name }) => { async ()/*Ωignore_positionΩ*/ => {
            if(id !== null && reasonFor('saveDocuments', agreement) === null){
               { const $$_nottuBnocI0C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI0C({ target: __sveltets_2_any(), props: {       "icon":Download,"label":m.act_save_document({ name }),"onclick":() => asks.ask({ kind: 'documents', documentId: id }),}});}
            }
          };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {tools} = $$_stnemucoDtnemeergA2.$$prop_def;/*Ωignore_endΩ*/
          
         AgreementDocuments}
      }
     }
    if(agreement.timeline.length > 0){
       { svelteHTML.createElement("section", {});
         { svelteHTML.createElement("h3", {});m.detail_timeline(); }
         { const $$_stcaF2C = __sveltets_2_ensureComponent(Facts); new $$_stcaF2C({ target: __sveltets_2_any(), props: {   "rows":agreement.timeline.map((entry) => ({
            name: formatDateTime(entry.at),
            value: timelineText(entry),
          })),}});}
       }
    }
    if(agreement.tags !== null && Object.keys(agreement.tags).length > 0){
       { svelteHTML.createElement("section", {});
         { svelteHTML.createElement("h3", {});m.detail_tags(); }
         { const $$_stcaF2C = __sveltets_2_ensureComponent(Facts); new $$_stcaF2C({ target: __sveltets_2_any(), props: {  "rows":Object.entries(agreement.tags).map(([name, value]) => ({ name, value })),}});}
       }
    }
    details.key; { { const $$_sartxEtnemeergA1C = __sveltets_2_ensureComponent(AgreementExtras); new $$_sartxEtnemeergA1C({ target: __sveltets_2_any(), props: { agreement,}});}}
     { svelteHTML.createElement("section", {});
       { svelteHTML.createElement("h3", {});m.detail_technical(); }
       { const $$_lacinhceTtnemeergA2C = __sveltets_2_ensureComponent(AgreementTechnical); new $$_lacinhceTtnemeergA2C({ target: __sveltets_2_any(), props: { agreement,}});}
     }
   }
   { const $$_sgolaiDnoitcA0C = __sveltets_2_ensureComponent(ActionDialogs); new $$_sgolaiDnoitcA0C({ target: __sveltets_2_any(), props: { agreement,}});}
} else if (details.key === null){
   { const $$_etatSytpmE0C = __sveltets_2_ensureComponent(EmptyState); new $$_etatSytpmE0C({ target: __sveltets_2_any(), props: {    "title":m.agreements_pick_title(),"hint":m.agreements_pick_hint(),}});}
}


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const AgreementPane__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type AgreementPane__SvelteComponent_ = ReturnType<typeof AgreementPane__SvelteComponent_>;
/*Ωignore_endΩ*/export default AgreementPane__SvelteComponent_;