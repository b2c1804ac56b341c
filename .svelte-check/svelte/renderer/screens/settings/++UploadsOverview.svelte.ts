///<reference types="svelte" />
;
import { m } from '../../language.svelte.ts';
import { connections } from '../../state/connections.svelte.ts';
import UploadList from './UploadList.svelte';
function $$render() {

  
  
  

  const legacy = $derived(connections.all.filter(({ api }) => api === 'v2'));
;
async () => {

 { svelteHTML.createElement("p", {});m.uploads_lead(); }
   for(let connection of __sveltets_2_ensureArray(legacy)){connection.id;
   { const $$_tsiLdaolpU0C = __sveltets_2_ensureComponent(UploadList); new $$_tsiLdaolpU0C({ target: __sveltets_2_any(), props: { connection,}});}
}
   { svelteHTML.createElement("p", {});m.uploads_none_connection(); }



};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const UploadsOverview__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type UploadsOverview__SvelteComponent_ = ReturnType<typeof UploadsOverview__SvelteComponent_>;
/*Ωignore_endΩ*/export default UploadsOverview__SvelteComponent_;