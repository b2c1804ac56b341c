///<reference types="svelte" />
;
import { onMount, untrack } from 'svelte';
import Button from '../../components/Button.svelte';
import Chips from '../../components/Chips.svelte';
import Confirm from '../../components/Confirm.svelte';
import FailureBar from '../../components/FailureBar.svelte';
import FilePicker from '../../components/FilePicker.svelte';
import type { Connection } from '../../../shared/contract/connections.ts';
import type { ListedUpload } from '../../../shared/contract/uploads.ts';
import { formatDateTime } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { Uploads } from '../../state/uploads.svelte.ts';
import UploadDialog from './UploadDialog.svelte';

;type $$ComponentProps =  { connection: Connection };function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  

  const { connection }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const uploads = new Uploads(untrack(() => connection.id));
  let onlyOrphans = $state(false);
  let removing = $state(false);
  let doomed = $state.raw<ListedUpload | null>(null);
  let shown = $state.raw<{ readonly file: ListedUpload } | null>(null);

  const orphans = $derived(uploads.files.filter(({ isOrphan }) => isOrphan));
  const files = $derived(onlyOrphans ? orphans : uploads.files);

  onMount(() => uploads.watch());

  const lineOf = ({ isOrphan, createdAt, createdOn }: ListedUpload): string =>
    [
      isOrphan ? m.uploads_orphan() : m.uploads_used(),
      createdAt === null ? createdOn : m.uploads_since({ date: formatDateTime(createdAt) }),
    ]
      .filter((part) => part !== null)
      .join(' · ');
;
async () => {

 { svelteHTML.createElement("section", { ...__sveltets_2_empty({"data-testid":`settings.uploads`}),});
   { svelteHTML.createElement("h3", {});m.uploads_of({ name: connection.name }); }
   { svelteHTML.createElement("div", { "class":`tools`,});
     { const $$_rekciPeliF2C = __sveltets_2_ensureComponent(FilePicker); new $$_rekciPeliF2C({ target: __sveltets_2_any(), props: {           "label":m.uploads_add(),"accept":`application/pdf,.pdf`,"reason":uploads.busy ? m.act_busy() : null,"testid":`settings.uploads.file`,"onfiles":(picked) => void uploads.add(picked),}});}
    if(orphans.length > 0){
       { const $$_spihC2C = __sveltets_2_ensureComponent(Chips); new $$_spihC2C({ target: __sveltets_2_any(), props: {         "label":m.uploads_title(),"items":[
          { value: 'all' as const, label: m.uploads_all(), count: uploads.files.length },
          { value: 'orphans' as const, label: m.uploads_only_orphans(), count: orphans.length },
        ],"value":onlyOrphans ? 'orphans' : 'all',"onchoose":(choice) => (onlyOrphans = choice === 'orphans'),}});}
    }
   }
  if(uploads.list.failure){
     { const $$_raBeruliaF1C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF1C({ target: __sveltets_2_any(), props: {    "failure":uploads.list.failure,"onretry":() => void uploads.list.refresh(),}});}
  } else if (uploads.list.value === null){
     { svelteHTML.createElement("p", {});m.act_reading(); }
  } else if (files.length === 0){
     { svelteHTML.createElement("p", {});m.uploads_none({ name: connection.name }); }
  }
   { svelteHTML.createElement("ul", {});
       for(let file of __sveltets_2_ensureArray(files)){file.token;
       { svelteHTML.createElement("li", {});
         { svelteHTML.createElement("div", {});
           { svelteHTML.createElement("strong", {});file.fileName; }
           { svelteHTML.createElement("p", {});lineOf(file); }
         }
         { svelteHTML.createElement("div", { "class":`tools`,});
           { const $$_nottuB4C = __sveltets_2_ensureComponent(Button); new $$_nottuB4C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => (shown = { file }),}});m.uploads_show(); Button}
           { const $$_nottuB4C = __sveltets_2_ensureComponent(Button); new $$_nottuB4C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"kind":`danger`,"onclick":() => {
              doomed = file;
              removing = true;
            },}});
            m.uploads_remove();
           Button}
         }
       }
    }
   }
 }
shown; {
  if(shown){ { const $$_golaiDdaolpU0C = __sveltets_2_ensureComponent(UploadDialog); new $$_golaiDdaolpU0C({ target: __sveltets_2_any(), props: {   uploads,"file":shown.file,}});}}
}
if(doomed){
  const file = doomed;
   { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {            children:() => { return __sveltets_2_any(0); },open:removing,"title":m.uploads_remove_title({ name: file.fileName }),"confirm":m.uploads_remove_confirm(),"cancel":m.common_cancel(),"danger":true,"onconfirm":() => void uploads.remove(file),}});/*Ωignore_startΩ*/() => removing = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
     { svelteHTML.createElement("p", {});m.uploads_remove_lead(); }
    if(!file.isOrphan){ { svelteHTML.createElement("p", { "class":`care`,});m.uploads_remove_used(); }}
   Confirm}
}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const UploadList__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type UploadList__SvelteComponent_ = ReturnType<typeof UploadList__SvelteComponent_>;
/*Ωignore_endΩ*/export default UploadList__SvelteComponent_;