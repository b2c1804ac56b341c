///<reference types="svelte" />
;
import FilePen from '@lucide/svelte/icons/file-pen';
import { onMount } from 'svelte';
import type { ApiName, ConnectionId } from '../../../shared/contract/ids.ts';
import ChoiceList from '../../components/ChoiceList.svelte';
import ScreenHeader from '../../components/ScreenHeader.svelte';
import { apiName, environmentName } from '../../connection-text.ts';
import { m } from '../../language.svelte.ts';
import { connections } from '../../state/connections.svelte.ts';
import { drafts } from '../../state/drafts.svelte.ts';
import { router } from '../../state/router.svelte.ts';
function $$render() {

  
  
  
  
  
  
  
  
  
  

  let busy = $state(false);

  const only = $derived(
    connections.current ?? (connections.all.length === 1 ? connections.all[0] : undefined),
  );
  const choices = $derived(
    connections.all.length === 0
      ? (['v1', 'v2'] as const).map((api) => ({
          name: api,
          title: apiName(api),
          hint: m.drafts_new_without(),
          icon: FilePen,
          choose: () => void make(api, null),
        }))
      : connections.all.map(({ id, name, api, environment }) => ({
          name: id,
          title: name,
          hint: `${environmentName(environment)} · ${apiName(api)}`,
          icon: FilePen,
          choose: () => void make(api, id),
        })),
  );

  async function make(api: ApiName, connectionId: ConnectionId | null): Promise<void> {
    busy = true;
    const id = await drafts.create(api, connectionId);
    busy = false;
    if (id === null) router.replace('drafts');
    else router.replace('drafts', id);
  }

  onMount(() => {
    if (only !== undefined) void make(only.api, only.id);
  });
;
async () => {

if(only === undefined){
   { const $$_redaeHneercS0C = __sveltets_2_ensureComponent(ScreenHeader); new $$_redaeHneercS0C({ target: __sveltets_2_any(), props: {  "title":m.drafts_new(),}});}
   { svelteHTML.createElement("div", { "class":`choose`,});
     { svelteHTML.createElement("h2", {});m.drafts_new_for(); }
     { svelteHTML.createElement("p", {});m.drafts_new_for_hint(); }
     { const $$_tsiLeciohC1C = __sveltets_2_ensureComponent(ChoiceList); new $$_tsiLeciohC1C({ target: __sveltets_2_any(), props: {  choices,busy,}});}
   }
}


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const NewDraft__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type NewDraft__SvelteComponent_ = ReturnType<typeof NewDraft__SvelteComponent_>;
/*Ωignore_endΩ*/export default NewDraft__SvelteComponent_;