///<reference types="svelte" />
;
import { untrack } from 'svelte';
import Button from '../../../components/Button.svelte';
import Confirm from '../../../components/Confirm.svelte';
import Field from '../../../components/Field.svelte';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import { api } from '../../../desk.ts';
import { m } from '../../../language.svelte.ts';
import { activity } from '../../../state/activity.svelte.ts';
import { actions } from '../../../state/agreement-actions.svelte.ts';
import { host } from '../../../state/host.svelte.ts';
;

  interface Props {
    agreement: AgreementDetails;
    /** Null means all of them. */
    documentId: string | null;
  };function $$render() {

  
  
  
  
  
  
  
  
  
  


  const { agreement, documentId }: Props = $props();

  let open = $state(true);
  let folder = $state(untrack(() => host.value?.documentsFolder ?? ''));
  const documents = $derived(
    (agreement.documents ?? []).filter(({ id }) => documentId === null || id === documentId),
  );

  async function chooseFolder(): Promise<void> {
    await activity.attempt(async () => {
      const { path } = await api['host.chooseFolder']({});
      folder = path ?? folder;
    });
  }
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {           children:() => { return __sveltets_2_any(0); },open,"title":m.documents_title({ count: documents.length }),"confirm":m.documents_confirm({ count: documents.length }),"cancel":m.common_cancel(),"reason":folder.trim() === '' ? m.save_missing() : null,"onconfirm":() => {
    const { connectionId, id } = agreement;
    void actions.saveDocuments({ connectionId, id }, folder.trim(), documentId);
  },}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { svelteHTML.createElement("ul", {});
        for(let document of __sveltets_2_ensureArray(documents)){let position = 1;position; { svelteHTML.createElement("li", {});document.name; }}
   }
   { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {   "label":m.documents_folder(),"hint":m.documents_hint(),children:({ id, describedBy }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("input", {        id,"aria-describedby":describedBy,"bind:value":folder,...__sveltets_2_empty({"data-testid":`agreements.documents.folder`}),});/*Ωignore_startΩ*/() => folder = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
  if(host.value?.favours.chooseFolder){
     { svelteHTML.createElement("div", {}); { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => void chooseFolder(),}});m.save_choose_folder(); Button} }
  }
 Confirm}


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const DocumentsDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type DocumentsDialog__SvelteComponent_ = ReturnType<typeof DocumentsDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default DocumentsDialog__SvelteComponent_;