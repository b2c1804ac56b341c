///<reference types="svelte" />
;
import Facts from '../../components/Facts.svelte';
import StateBadge from '../../components/StateBadge.svelte';
import type { OutboxItem } from '../../../shared/contract/outbox.ts';
import { sentenceFor } from '../../failure-text.ts';
import { formatCount, formatDateTime, formatNames } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { conditionOf, lookOf } from '../../outbox-text.ts';
import { connections } from '../../state/connections.svelte.ts';
import OutboxActions from './OutboxActions.svelte';

;type $$ComponentProps =  { item: OutboxItem };function $$render() {

  
  
  
  
  
  
  
  
  

  const { item }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const look = $derived(lookOf(conditionOf(item)));
  const facts = $derived([
    {
      name: m.outbox_fact_connection(),
      value: connections.find(item.connectionId)?.name ?? m.outbox_next_none(),
    },
    { name: m.outbox_fact_people(), value: formatNames(item.people) },
    { name: m.outbox_fact_attempts(), value: formatCount(item.attempts) },
    { name: m.outbox_fact_created(), value: formatDateTime(item.createdAt) },
    { name: m.outbox_fact_changed(), value: formatDateTime(item.updatedAt) },
    ...(item.remoteId === null ? [] : [{ name: m.outbox_fact_id(), value: item.remoteId }]),
  ]);
;
async () => {

 { svelteHTML.createElement("article", { ...__sveltets_2_empty({"data-testid":`outbox.details`}),});
   { svelteHTML.createElement("header", {});
     { svelteHTML.createElement("h2", {});item.title || m.agreements_untitled(); }
     { svelteHTML.createElement("p", {});
       { const $$_egdaBetatS3C = __sveltets_2_ensureComponent(StateBadge); new $$_egdaBetatS3C({ target: __sveltets_2_any(), props: {    "tone":look.tone,"word":look.word(),}});}
       { svelteHTML.createElement("span", {});item.kind === 'sign' ? m.outbox_kind_sign() : m.outbox_kind_create(); }
     }
     { svelteHTML.createElement("p", {});look.explain(); }
   }
   { const $$_snoitcAxobtuO1C = __sveltets_2_ensureComponent(OutboxActions); new $$_snoitcAxobtuO1C({ target: __sveltets_2_any(), props: { item,}});}
  if(item.reason){
     { svelteHTML.createElement("section", {});
       { svelteHTML.createElement("h3", {});m.outbox_reason(); }
       { svelteHTML.createElement("p", {});sentenceFor(item.reason); }
     }
  }
   { svelteHTML.createElement("section", {});
     { svelteHTML.createElement("h3", {});m.outbox_facts(); }
     { const $$_stcaF2C = __sveltets_2_ensureComponent(Facts); new $$_stcaF2C({ target: __sveltets_2_any(), props: {  "rows":facts,}});}
   }
 }


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const OutboxPane__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type OutboxPane__SvelteComponent_ = ReturnType<typeof OutboxPane__SvelteComponent_>;
/*Ωignore_endΩ*/export default OutboxPane__SvelteComponent_;