///<reference types="svelte" />
;
import { onMount } from 'svelte';
import Button from '../../components/Button.svelte';
import Confirm from '../../components/Confirm.svelte';
import type { Identity } from '../../../shared/contract/signing.ts';
import { m } from '../../language.svelte.ts';
import { signing } from '../../state/signing.svelte.ts';
import IdentityForm from './IdentityForm.svelte';
function $$render() {

  
  
  
  
  
  
  

  let adding = $state(false);
  let removing = $state(false);
  let doomed = $state.raw<Identity | null>(null);

  const identities = $derived(signing.identities.value ?? []);

  onMount(() => void signing.identities.refresh());

  const lineOf = ({ firstName, lastName, personNumberMasked, orgNo, country }: Identity): string =>
    [`${firstName} ${lastName}`, personNumberMasked, orgNo, country]
      .filter((part) => part !== null)
      .join(' · ');
;
async () => {

 { svelteHTML.createElement("p", {});m.settings_identities_lead(); }
if(adding){
   { const $$_mroFytitnedI0C = __sveltets_2_ensureComponent(IdentityForm); new $$_mroFytitnedI0C({ target: __sveltets_2_any(), props: {  "ondone":() => (adding = false),}});}
}else{
   { svelteHTML.createElement("div", {});
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"onclick":() => (adding = true),"data-testid":`settings.identity.add`,}});
      m.settings_identity_add();
     Button}
   }
}
if(identities.length === 0 && !adding){
   { svelteHTML.createElement("p", {});m.settings_identities_none(); }
}else{
   { svelteHTML.createElement("ul", {});
       for(let identity of __sveltets_2_ensureArray(identities)){identity.id;
       { svelteHTML.createElement("li", {});
         { svelteHTML.createElement("div", {});
           { svelteHTML.createElement("strong", {});identity.name; }
           { svelteHTML.createElement("p", {});lineOf(identity); }
         }
         { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"kind":`danger`,"onclick":() => {
            doomed = identity;
            removing = true;
          },}});
          m.settings_identity_remove();
         Button}
       }
    }
   }
}

if(doomed){
  const { id, name } = doomed;
   { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {            children:() => { return __sveltets_2_any(0); },open:removing,"title":m.settings_identity_remove_title({ name }),"confirm":m.settings_identity_remove_confirm(),"cancel":m.common_cancel(),"danger":true,"onconfirm":() => void signing.removeIdentity(id),}});/*Ωignore_startΩ*/() => removing = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
     { svelteHTML.createElement("p", {});m.settings_identity_remove_lead(); }
   Confirm}
}


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Identities__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Identities__SvelteComponent_ = ReturnType<typeof Identities__SvelteComponent_>;
/*Ωignore_endΩ*/export default Identities__SvelteComponent_;