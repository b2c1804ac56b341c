///<reference types="svelte" />
;
import Confirm from '../../components/Confirm.svelte';
import type { Connection } from '../../../shared/contract/connections.ts';
import { m } from '../../language.svelte.ts';
import { connectionCare } from '../../state/connection-care.svelte.ts';
;

  interface Props {
    open: boolean;
    connection: Connection;
  };function $$render() {

  
  
  
  


  let { open = $bindable(), connection }: Props = $props()/*Ωignore_startΩ*/;open;/*Ωignore_endΩ*/;

  let deletesAgreements = $state(false);
  let deletesDrafts = $state(false);

  function remove(): void {
    void connectionCare.remove(connection, {
      agreements: deletesAgreements ? 'delete' : 'keep',
      drafts: deletesDrafts ? 'delete' : 'keep',
    });
  }
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {          children:() => { return __sveltets_2_any(0); },open,"title":m.settings_remove_title({ name: connection.name }),"confirm":m.settings_remove_confirm(),"cancel":m.common_cancel(),"danger":true,"onconfirm":remove,}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { svelteHTML.createElement("p", {});m.settings_remove_lead(); }
   { svelteHTML.createElement("label", {});
     { svelteHTML.createElement("input", {    "type":`checkbox`,"bind:checked":deletesAgreements,});/*Ωignore_startΩ*/() => deletesAgreements = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    m.settings_remove_agreements();
   }
   { svelteHTML.createElement("label", {});
     { svelteHTML.createElement("input", {    "type":`checkbox`,"bind:checked":deletesDrafts,});/*Ωignore_startΩ*/() => deletesDrafts = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    m.settings_remove_drafts();
   }
 Confirm}


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('open'), slots: {}, events: {} }}
const RemoveConnection__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type RemoveConnection__SvelteComponent_ = ReturnType<typeof RemoveConnection__SvelteComponent_>;
/*Ωignore_endΩ*/export default RemoveConnection__SvelteComponent_;