///<reference types="svelte" />
;
import { untrack } from 'svelte';
import Facts from '../../components/Facts.svelte';
import FailureBar from '../../components/FailureBar.svelte';
import InfoDialog from '../../components/InfoDialog.svelte';
import type { UploadedFile } from '../../../shared/contract/uploads.ts';
import { formatDateTime } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { Loaded } from '../../state/loaded.svelte.ts';
import type { Uploads } from '../../state/uploads.svelte.ts';

;type $$ComponentProps =  { uploads: Uploads; file: UploadedFile };function $$render() {

  
  
  
  
  
  
  
  
  

  const { uploads, file }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  let open = $state(true);
  const { show, wanted } = untrack(() => ({ show: uploads, wanted: file }));
  const read = new Loaded(async () => ({ file: await show.show(wanted) }));
  void read.refresh();

  function factsOf({ token, fileName, createdAt, createdOn, deletedOn }: UploadedFile) {
    const created = createdAt === null ? createdOn : formatDateTime(createdAt);
    return [
      { name: m.uploads_name(), value: fileName },
      { name: m.uploads_token(), value: token },
      ...(created === null ? [] : [{ name: m.uploads_created(), value: created }]),
      ...(deletedOn === null ? [] : [{ name: m.uploads_deleted(), value: deletedOn }]),
    ];
  }
;
async () => {

 { const $$_golaiDofnI0C = __sveltets_2_ensureComponent(InfoDialog); const $$_golaiDofnI0 = new $$_golaiDofnI0C({ target: __sveltets_2_any(), props: {    children:() => { return __sveltets_2_any(0); },open,"title":m.uploads_show_title(),"close":m.act_close(),}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_golaiDofnI0.$$bindings = 'open';
  if(read.failure){
     { const $$_raBeruliaF1C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF1C({ target: __sveltets_2_any(), props: {    "failure":read.failure,"onretry":() => void read.refresh(),}});}
  } else if (read.value === null){
     { svelteHTML.createElement("p", {});m.act_reading(); }
  } else if (read.value.file === null){
     { svelteHTML.createElement("p", {});m.uploads_gone(); }
  }else{
     { const $$_stcaF1C = __sveltets_2_ensureComponent(Facts); new $$_stcaF1C({ target: __sveltets_2_any(), props: {  "rows":factsOf(read.value.file),}});}
  }
 InfoDialog}
};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const UploadDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type UploadDialog__SvelteComponent_ = ReturnType<typeof UploadDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default UploadDialog__SvelteComponent_;