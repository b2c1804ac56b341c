///<reference types="svelte" />
;
import type { DraftBodyV2 } from '../../../shared/contract/drafts.ts';
import { m } from '../../language.svelte.ts';
import { dropFrom, moveIn } from '../../state/draft-order.ts';
import AddParty from './AddParty.svelte';
import { editing } from './editing.ts';
import PartyV2 from './PartyV2.svelte';

;type $$ComponentProps =  { body: DraftBodyV2 };function $$render() {

  
  
  
  
  
  

  let { body = $bindable() }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props()/*Ωignore_startΩ*/;body;/*Ωignore_endΩ*/;

  const { editor } = editing();
  const privates = $derived(body.parties.privates);
  const companies = $derived(body.parties.companies);
  const kinds = $derived([
    { value: 'privates', label: m.draft_person() },
    { value: 'companies', label: m.draft_company() },
  ] as const);

  function remove<T>(list: T[], index: number): void {
    dropFrom(list, index);
    editor.touch();
  }
;
async () => {

if(privates.length > 0){
   { svelteHTML.createElement("ul", {});
        for(let party of __sveltets_2_ensureArray(privates)){let index = 1;party;
       { const $$_2VytraP1C = __sveltets_2_ensureComponent(PartyV2); const $$_2VytraP1 = new $$_2VytraP1C({ target: __sveltets_2_any(), props: {                party:__sveltets_2_get_set_binding(() => party,(next) => (privates[index] = next)),number:__sveltets_2_get_set_binding(() => party.personNo,(next) => (party.personNo = next)),"list":`privates`,index,"count":privates.length,"onmove":(to) => void moveIn(privates, index, to),"onremove":() => remove(privates, index),}});$$_2VytraP1.$$bindings = 'party';$$_2VytraP1.$$bindings = 'number';}
    }
   }
}
if(companies.length > 0){
   { svelteHTML.createElement("ul", {});
        for(let party of __sveltets_2_ensureArray(companies)){let index = 1;party;
       { const $$_2VytraP1C = __sveltets_2_ensureComponent(PartyV2); const $$_2VytraP1 = new $$_2VytraP1C({ target: __sveltets_2_any(), props: {                  party:__sveltets_2_get_set_binding(() => party,(next) => (companies[index] = next)),number:__sveltets_2_get_set_binding(() => party.orgNo,(next) => (party.orgNo = next)),"list":`companies`,index,"count":companies.length,"before":privates.length,"onmove":(to) => void moveIn(companies, index, to),"onremove":() => remove(companies, index),}});$$_2VytraP1.$$bindings = 'party';$$_2VytraP1.$$bindings = 'number';}
    }
   }
}
 { const $$_ytraPddA0C = __sveltets_2_ensureComponent(AddParty); new $$_ytraPddA0C({ target: __sveltets_2_any(), props: {      kinds,"count":privates.length + companies.length,"onadd":(kind) => {
    body.parties[kind].push({ signMethods: ['EID'], signingOrder: 1 });
    editor.touch();
    return `parties.${kind}.${body.parties[kind].length - 1}`;
  },}});}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings('body'), slots: {}, events: {} }}
const PartiesV2__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type PartiesV2__SvelteComponent_ = ReturnType<typeof PartiesV2__SvelteComponent_>;
/*Ωignore_endΩ*/export default PartiesV2__SvelteComponent_;