///<reference types="svelte" />
;
import type { DraftBodyV1 } from '../../../shared/contract/drafts.ts';
import { m } from '../../language.svelte.ts';
import { dropFrom, followParties, moveIn } from '../../state/draft-order.ts';
import { startParty } from '../../state/draft-start.ts';
import AddParty from './AddParty.svelte';
import { editing } from './editing.ts';
import PartyV1 from './PartyV1.svelte';

;type $$ComponentProps =  { body: DraftBodyV1 };function $$render() {

  
  
  
  
  
  
  

  let { body = $bindable() }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props()/*Ωignore_startΩ*/;body;/*Ωignore_endΩ*/;

  const { editor } = editing();
  const kinds = $derived([
    { value: 'PRIVATE', label: m.draft_person() },
    { value: 'COMPANY', label: m.draft_company() },
    { value: 'MY_COMPANY', label: m.draft_my_company() },
  ] as const);
;
async () => {

if(body.parties.length > 0){
   { svelteHTML.createElement("ul", {});
        for(let party of __sveltets_2_ensureArray(body.parties)){let index = 1;party;
       { const $$_1VytraP1C = __sveltets_2_ensureComponent(PartyV1); const $$_1VytraP1 = new $$_1VytraP1C({ target: __sveltets_2_any(), props: {           party:__sveltets_2_get_set_binding(() => party,(next) => (body.parties[index] = next)),index,"count":body.parties.length,"onmove":(to) => followParties(body, moveIn(body.parties, index, to)),"onremove":() => {
          followParties(body, dropFrom(body.parties, index));
          editor.touch();
        },}});$$_1VytraP1.$$bindings = 'party';}
    }
   }
}
 { const $$_ytraPddA0C = __sveltets_2_ensureComponent(AddParty); new $$_ytraPddA0C({ target: __sveltets_2_any(), props: {      kinds,"count":body.parties.length,"onadd":(kind) => {
    body.parties.push(startParty(kind));
    editor.touch();
    return `parties.${body.parties.length - 1}`;
  },}});}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings('body'), slots: {}, events: {} }}
const PartiesV1__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type PartiesV1__SvelteComponent_ = ReturnType<typeof PartiesV1__SvelteComponent_>;
/*Ωignore_endΩ*/export default PartiesV1__SvelteComponent_;