///<reference types="svelte" />
;
import Button from '../../components/Button.svelte';
import FieldDialog from '../../components/FieldDialog.svelte';
import TestSteps from '../../components/TestSteps.svelte';
import type { Connection } from '../../../shared/contract/connections.ts';
import { apiName, environmentName } from '../../connection-text.ts';
import { m } from '../../language.svelte.ts';
import { connectionCare } from '../../state/connection-care.svelte.ts';
import RemoveConnection from './RemoveConnection.svelte';

;type $$ComponentProps =  { connection: Connection };function $$render() {

  
  
  
  
  
  
  
  

  const { connection }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const isDemo = $derived(connection.environment === 'demo');
  const tested = $derived(
    connectionCare.tested?.id === connection.id ? connectionCare.tested : null,
  );

  let renaming = $state(false);
  let replacing = $state(false);
  let removing = $state(false);
;
async () => {

 { svelteHTML.createElement("li", {   ...__sveltets_2_empty({"data-testid":`settings.connection`}),...__sveltets_2_empty({"data-id":connection.id}),});
   { svelteHTML.createElement("div", { "class":`line`,});
     { svelteHTML.createElement("div", { "class":`words`,});
       { svelteHTML.createElement("strong", {});connection.name; }
       { svelteHTML.createElement("span", { "class":['environment', connection.environment],});
        environmentName(connection.environment);
       }
       { svelteHTML.createElement("p", {});apiName(connection.api);  connection.url; }
     }
     { svelteHTML.createElement("div", { "class":`actions`,});
       { const $$_nottuB3C = __sveltets_2_ensureComponent(Button); new $$_nottuB3C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => void connectionCare.test(connection),}});m.settings_test(); Button}
       { const $$_nottuB3C = __sveltets_2_ensureComponent(Button); new $$_nottuB3C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => (renaming = true),}});m.settings_rename(); Button}
       { const $$_nottuB3C = __sveltets_2_ensureComponent(Button); new $$_nottuB3C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"reason":isDemo ? m.settings_replace_demo() : null,"onclick":() => (replacing = true),}});
        m.settings_replace();
       Button}
       { const $$_nottuB3C = __sveltets_2_ensureComponent(Button); new $$_nottuB3C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"kind":`danger`,"onclick":() => (removing = true),}});m.settings_remove(); Button}
     }
   }
  if(tested){ { const $$_spetStseT1C = __sveltets_2_ensureComponent(TestSteps); new $$_spetStseT1C({ target: __sveltets_2_any(), props: {  "result":tested.result,}});}}
 }

 { const $$_golaiDdleiF0C = __sveltets_2_ensureComponent(FieldDialog); const $$_golaiDdleiF0 = new $$_golaiDdleiF0C({ target: __sveltets_2_any(), props: {             open:renaming,"title":m.settings_rename_title(),"label":m.connection_name(),"confirm":m.settings_rename_confirm(),"start":connection.name,"onconfirm":(name) => void connectionCare.rename(connection, name),}});/*Ωignore_startΩ*/() => renaming = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_golaiDdleiF0.$$bindings = 'open';}
 { const $$_golaiDdleiF0C = __sveltets_2_ensureComponent(FieldDialog); const $$_golaiDdleiF0 = new $$_golaiDdleiF0C({ target: __sveltets_2_any(), props: {            open:replacing,"title":m.settings_replace_title({ name: connection.name }),"label":connection.api === 'v1' ? m.connection_secret_v1() : m.connection_secret_v2(),"confirm":m.settings_replace_confirm(),"secret":true,"onconfirm":(secret) => void connectionCare.replaceSecret(connection, secret),}});/*Ωignore_startΩ*/() => replacing = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_golaiDdleiF0.$$bindings = 'open';}
 { const $$_noitcennoCevomeR0C = __sveltets_2_ensureComponent(RemoveConnection); const $$_noitcennoCevomeR0 = new $$_noitcennoCevomeR0C({ target: __sveltets_2_any(), props: {    open:removing,connection,}});/*Ωignore_startΩ*/() => removing = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_noitcennoCevomeR0.$$bindings = 'open';}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ConnectionRow__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ConnectionRow__SvelteComponent_ = ReturnType<typeof ConnectionRow__SvelteComponent_>;
/*Ωignore_endΩ*/export default ConnectionRow__SvelteComponent_;