///<reference types="svelte" />
;
import type { DraftBodyV2, DraftContent } from '../../../shared/contract/drafts.ts';
import Chips from '../../components/Chips.svelte';
import FilePicker from '../../components/FilePicker.svelte';
import { formatBytes } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { editing } from './editing.ts';
import FileRow from './FileRow.svelte';
import ProblemNote from './ProblemNote.svelte';
import RefusedFiles from './RefusedFiles.svelte';
import TextRow from './TextRow.svelte';

;type $$ComponentProps =  { content: DraftContent };function $$render() {

  
  
  
  
  
  
  
  
  
  

  let { content = $bindable() }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props()/*Ωignore_startΩ*/;content;/*Ωignore_endΩ*/;

  /** API v2, "Agreement request (create)". */
  const TEXT_MOST = 30_000;

  const { editor, documents } = editing();
  let picker = $state<FilePicker>();

  const rows = $derived(content.body.attachments ?? []);
  const takesFiles = $derived(content.api === 'v1' || content.body.type === 'ATTACHED');
  const total = $derived(editor.files.reduce((sum, { bytes }) => sum + bytes, 0));
  const kinds = $derived.by(() => {
    const all: { value: DraftBodyV2['type']; label: string }[] = [
      { value: 'ATTACHED', label: m.draft_kind_attached() },
      { value: 'FREE_TEXT', label: m.draft_kind_text() },
    ];
    const isTemplate = content.api === 'v2' && content.body.type === 'DYNAMIC_PDF';
    if (isTemplate) all.push({ value: 'DYNAMIC_PDF', label: m.draft_kind_template() });
    return all;
  });

  /** Opens the system's dialog for files. */
   function choose(): void {
    picker?.choose();
  }

  function nameOf(row: (typeof rows)[number]): string {
    const name = row.name ?? documents.find(row.file)?.name;
    return name ?? m.draft_token({ token: row.token ?? '' });
  }

  function categoryOf(index: number): 'AGREEMENT' | 'REF_DOC' | null {
    return content.api === 'v1' ? (content.body.attachments[index]?.category ?? 'REF_DOC') : null;
  }

  function setCategory(index: number, category: 'AGREEMENT' | 'REF_DOC'): void {
    const row = content.api === 'v1' ? content.body.attachments[index] : undefined;
    if (row === undefined) return;
    row.category = category;
    editor.touch();
  }
;
async () => {

if(content.api === 'v2'){
  const body = content.body;
   { const $$_spihC0C = __sveltets_2_ensureComponent(Chips); new $$_spihC0C({ target: __sveltets_2_any(), props: {         "label":m.draft_kind(),"items":kinds,"value":body.type,"onchoose":(kind) => {
      body.type = kind;
      editor.touch();
    },}});}
  if(body.type === 'FREE_TEXT'){
     { const $$_woRtxeT0C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT0 = new $$_woRtxeT0C({ target: __sveltets_2_any(), props: {             "label":m.draft_text(),"path":`text`,"rows":12,"most":TEXT_MOST,"hint":m.draft_text_hint(),value:body.text,}});/*Ωignore_startΩ*/() => body.text = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtxeT0.$$bindings = 'value';}
  }else{
     { const $$_etoNmelborP0C = __sveltets_2_ensureComponent(ProblemNote); new $$_etoNmelborP0C({ target: __sveltets_2_any(), props: {  "path":`text`,}});}
  }
}
if(takesFiles || rows.length > 0){
  if(rows.length > 0){
     { svelteHTML.createElement("div", {});
       { svelteHTML.createElement("ul", {});
            for(let row of __sveltets_2_ensureArray(rows)){let index = 1;row;
           { const $$_woReliF2C = __sveltets_2_ensureComponent(FileRow); new $$_woReliF2C({ target: __sveltets_2_any(), props: {            "name":nameOf(row),"file":documents.find(row.file),index,"count":rows.length,"category":categoryOf(index),"oncategory":(category) => setCategory(index, category),}});}
        }
       }
       { svelteHTML.createElement("p", { "class":`total`,});
        m.draft_total({ size: formatBytes(total) });rows.length > 1
          ? ` · ${m.draft_files_order()}`
          : '';
       }
     }
  }
   { const $$_seliFdesufeR0C = __sveltets_2_ensureComponent(RefusedFiles); new $$_seliFdesufeR0C({ target: __sveltets_2_any(), props: {}});}
  if(takesFiles){
     { svelteHTML.createElement("div", { "class":`zone`,});
       { svelteHTML.createElement("span", {});documents.adding ? m.draft_adding() : m.draft_drop_zone(); }
       { const $$_rekciPeliF1C = __sveltets_2_ensureComponent(FilePicker); const $$_rekciPeliF1 = new $$_rekciPeliF1C({ target: __sveltets_2_any(), props: {              "label":m.draft_add_file(),"accept":content.api === 'v2' ? '.pdf,application/pdf' : '.pdf,application/pdf,*/*',"field":`attachments`,"testid":`draft.file`,"reason":editor.isLocked ? m.draft_why_locked() : null,"onfiles":(files) => void documents.add(files),}});picker = $$_rekciPeliF1;}
     }
  }
   { const $$_etoNmelborP0C = __sveltets_2_ensureComponent(ProblemNote); new $$_etoNmelborP0C({ target: __sveltets_2_any(), props: {  "path":`attachments`,}});}
}


};
return { props: {} as any as $$ComponentProps, exports: {} as any as { choose: typeof choose }, bindings: __sveltets_$$bindings('content'), slots: {}, events: {} }}
const Documents__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Documents__SvelteComponent_ = ReturnType<typeof Documents__SvelteComponent_>;
/*Ωignore_endΩ*/export default Documents__SvelteComponent_;