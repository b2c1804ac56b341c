///<reference types="svelte" />
;
import Button from '../../components/Button.svelte';
import type { ApiName } from '../../../shared/contract/ids.ts';
import { m } from '../../language.svelte.ts';
import { access } from '../../state/access.svelte.ts';
import { activity } from '../../state/activity.svelte.ts';
import { connections } from '../../state/connections.svelte.ts';
import ConnectionFields from '../onboarding/ConnectionFields.svelte';
import ConnectionRow from './ConnectionRow.svelte';
function $$render() {

  
  
  
  
  
  
  
  

  let adding = $state<ApiName | null>(null);

  const realReason = $derived(
    access.state.value?.profile === 'demo' ? m.reason_vault_demo_only() : null,
  );
;
async () => {

if(adding){
   { svelteHTML.createElement("h3", {});adding === 'v1' ? m.settings_add_v1() : m.settings_add_v2(); }
   { const $$_sdleiFnoitcennoC0C = __sveltets_2_ensureComponent(ConnectionFields); new $$_sdleiFnoitcennoC0C({ target: __sveltets_2_any(), props: {      "api":adding,"onsaved":() => (adding = null),"oncancel":() => (adding = null),}});}
}else{
   { svelteHTML.createElement("div", { "class":`actions`,});
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"reason":realReason,"onclick":() => (adding = 'v1'),}});m.settings_add_v1(); Button}
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"reason":realReason,"onclick":() => (adding = 'v2'),}});m.settings_add_v2(); Button}
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => void activity.attempt(() => connections.addDemo()),}});
      m.settings_add_demo();
     Button}
   }
}
if(connections.all.length === 0){
   { svelteHTML.createElement("p", {});m.settings_no_connections(); }
}else{
   { svelteHTML.createElement("ul", {});
       for(let connection of __sveltets_2_ensureArray(connections.all)){connection.id; { const $$_woRnoitcennoC1C = __sveltets_2_ensureComponent(ConnectionRow); new $$_woRnoitcennoC1C({ target: __sveltets_2_any(), props: { connection,}});}}
   }
}


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Connections__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Connections__SvelteComponent_ = ReturnType<typeof Connections__SvelteComponent_>;
/*Ωignore_endΩ*/export default Connections__SvelteComponent_;