///<reference types="svelte" />
;
import Confirm from '../../../components/Confirm.svelte';
import Field from '../../../components/Field.svelte';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import { m } from '../../../language.svelte.ts';
import { actions } from '../../../state/agreement-actions.svelte.ts';
import { archive } from '../../../state/archive.svelte.ts';

;type $$ComponentProps =  { agreement: AgreementDetails };function $$render() {

  
  
  
  
  
  

  const { agreement }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  let open = $state(true);
  let typedTitle = $state('');
  let archivesFirst = $state(true);

  const title = $derived(agreement.title || m.agreements_untitled());
  const couldBeSaved = $derived(agreement.state === 'signed' && agreement.archivedFile === null);
  const folder = $derived(archive.folder);

  function remove(): void {
    const { connectionId, id } = agreement;
    const isSaved = couldBeSaved && archivesFirst && folder !== null;
    const archiving = isSaved ? { archiveTo: folder } : {};
    void actions.remove([{ connectionId, id }], { typedTitle, ...archiving });
  }
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {            children:() => { return __sveltets_2_any(0); },open,"title":m.delete_title(),"confirm":couldBeSaved && archivesFirst && folder !== null
    ? m.delete_confirm_archived({ count: 1 })
    : m.delete_confirm({ count: 1 }),"cancel":m.common_cancel(),"danger":true,"reason":typedTitle.trim() === agreement.title.trim() ? null : m.delete_type_missing(),"onconfirm":remove,}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { svelteHTML.createElement("p", {});m.delete_lead({ title }); }
  if(agreement.archivedFile !== null){
     { svelteHTML.createElement("p", {});m.delete_archived({ file: agreement.archivedFile }); }
  } else if (couldBeSaved && folder !== null){
     { svelteHTML.createElement("label", { "class":`check`,});
       { svelteHTML.createElement("input", {      "type":`checkbox`,"bind:checked":archivesFirst,...__sveltets_2_empty({"data-testid":`agreements.delete.archive`}),});/*Ωignore_startΩ*/() => archivesFirst = __sveltets_2_any(null);/*Ωignore_endΩ*/}
       { svelteHTML.createElement("span", {});m.delete_archive_first({ folder }); }
     }
    if(!archivesFirst){ { svelteHTML.createElement("p", { "class":`care`,});m.delete_not_archived(); }}
  }
  if(agreement.title !== ''){
     { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {   "label":m.delete_type(),"hint":agreement.title,children:({ id, describedBy }) => { async ()/*Ωignore_positionΩ*/ => {
         { svelteHTML.createElement("input", {            id,"aria-describedby":describedBy,"autocomplete":`off`,"spellcheck":`false`,"bind:value":typedTitle,...__sveltets_2_empty({"data-testid":`agreements.delete.title`}),});/*Ωignore_startΩ*/() => typedTitle = __sveltets_2_any(null);/*Ωignore_endΩ*/}
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
      
     Field}
  }
 Confirm}
};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const DeleteDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type DeleteDialog__SvelteComponent_ = ReturnType<typeof DeleteDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default DeleteDialog__SvelteComponent_;