///<reference types="svelte" />
;
import type { FileId } from '../../../shared/contract/ids.ts';
import PdfPages from '../../components/PdfPages.svelte';
import { m } from '../../language.svelte.ts';
import { editing } from './editing.ts';
function $$render() {

  
  
  
  

  const { editor } = editing();

  const pdfs = $derived.by(() => {
    const listed = (editor.content?.body.attachments ?? []).map(({ file }) => file);
    const found = listed.flatMap((id) => editor.files.filter((file) => file.id === id));
    return found.filter(({ mimeType }) => mimeType === 'application/pdf');
  });
  let chosen = $state<FileId | null>(null);
  const shown = $derived(pdfs.find(({ id }) => id === chosen) ?? pdfs[0] ?? null);
;
async () => {

if(shown){
   { const $$_segaPfdP0C = __sveltets_2_ensureComponent(PdfPages); new $$_segaPfdP0C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"src":`/bytes/preview/${editor.id}/${shown.id}`,"version":editor.version,"name":shown.name,}});
    if(pdfs.length > 1){
       { svelteHTML.createElement("select", {       "aria-label":m.draft_preview_file(),"value":shown.id,"onchange":(event) => {
          const wanted = event.currentTarget.value;
          chosen = pdfs.find(({ id }) => id === wanted)?.id ?? null;
        },});
           for(let pdf of __sveltets_2_ensureArray(pdfs)){pdf.id; { svelteHTML.createElement("option", { "value":pdf.id,});pdf.name; }}
       }
    }else{
       { svelteHTML.createElement("strong", {});shown.name; }
    }
   PdfPages}
}else{
   { svelteHTML.createElement("p", {});editor.files.length > 0 ? m.draft_preview_other() : m.draft_preview_none(); }
}


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Preview__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Preview__SvelteComponent_ = ReturnType<typeof Preview__SvelteComponent_>;
/*Ωignore_endΩ*/export default Preview__SvelteComponent_;