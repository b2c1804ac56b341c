///<reference types="svelte" />
;
import { DraftId } from '../../shared/contract/ids.ts';
import { router } from '../state/router.svelte.ts';
import DraftList from './drafts/DraftList.svelte';
import Editor from './drafts/Editor.svelte';
import NewDraft from './drafts/NewDraft.svelte';
function $$render() {

  
  
  
  
  

  const part = $derived(router.parts[0]);
  const id = $derived(DraftId.safeParse(part));
;
async () => {

if(part === 'new'){
   { const $$_tfarDweN0C = __sveltets_2_ensureComponent(NewDraft); new $$_tfarDweN0C({ target: __sveltets_2_any(), props: {}});}
} else if (id.success){
  id.data; { { const $$_rotidE0C = __sveltets_2_ensureComponent(Editor); new $$_rotidE0C({ target: __sveltets_2_any(), props: {  "id":id.data,}});}}
}else{
   { const $$_tsiLtfarD0C = __sveltets_2_ensureComponent(DraftList); new $$_tsiLtfarD0C({ target: __sveltets_2_any(), props: {}});}
}
};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Drafts__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Drafts__SvelteComponent_ = ReturnType<typeof Drafts__SvelteComponent_>;
/*Ωignore_endΩ*/export default Drafts__SvelteComponent_;