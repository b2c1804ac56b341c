///<reference types="svelte" />
;
import type { Snippet } from 'svelte';
import type { Party } from '../../shared/model/agreement.ts';
import { methodName, partyBadgeOf } from '../agreement-text.ts';
import { formatDateTime, formatNames } from '../format.ts';
import { m } from '../language.svelte.ts';
import StateBadge from './StateBadge.svelte';
;

  interface Props {
    parties: readonly Party[];
    /** What can be done for a party, at the end of its row. */
    tools?: Snippet<[party: Party]>;
  };function $$render() {

  
  
  
  
  
  


  const { parties, tools }: Props = $props();

  const ordered = $derived(parties.toSorted((one, other) => one.order - other.order));

  const nameOf = ({ kind, name }: Party): string =>
    kind === 'my-company' ? m.detail_my_company({ name }) : name;

  function lineOf(party: Party): string {
    const isQueued = party.apiSigning !== null && party.state === 'turn';
    return [
      formatNames(party.methods.map(methodName)),
      party.signedAt === null ? '' : formatDateTime(party.signedAt),
      isQueued ? m.detail_in_queue() : '',
    ]
      .filter((part) => part !== '')
      .join(' · ');
  }
;
async () => {

 { svelteHTML.createElement("ol", {});
     for(let party of __sveltets_2_ensureArray(ordered)){party.id;
    const badge = partyBadgeOf(party);
     { svelteHTML.createElement("li", {});
       { svelteHTML.createElement("span", { "class":`badge-cell`,}); { const $$_egdaBetatS3C = __sveltets_2_ensureComponent(StateBadge); new $$_egdaBetatS3C({ target: __sveltets_2_any(), props: {    "tone":badge.tone,"word":badge.word,}});} }
       { svelteHTML.createElement("div", {});
         { svelteHTML.createElement("strong", {});nameOf(party); }
         { svelteHTML.createElement("p", {});lineOf(party); }
        if(party.rejectedReason){
           { svelteHTML.createElement("p", {});m.detail_reject_reason({ reason: party.rejectedReason }); }
        }
       }
      ;__sveltets_2_ensureSnippet(tools?.(party));
     }
  }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const AgreementParties__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type AgreementParties__SvelteComponent_ = ReturnType<typeof AgreementParties__SvelteComponent_>;
/*Ωignore_endΩ*/export default AgreementParties__SvelteComponent_;