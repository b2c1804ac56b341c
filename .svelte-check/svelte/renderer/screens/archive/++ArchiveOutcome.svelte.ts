///<reference types="svelte" />
;
import type { ArchiveResult } from '../../../shared/contract/archive.ts';
import Button from '../../components/Button.svelte';
import { sentenceFor } from '../../failure-text.ts';
import { formatBytes } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { archive } from '../../state/archive.svelte.ts';
import { host } from '../../state/host.svelte.ts';

;type $$ComponentProps =  { result: ArchiveResult };function $$render() {

  
  
  
  
  
  
  

  const { result }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();
;
async () => {

 { svelteHTML.createElement("section", {     "aria-label":m.archive_outcome(),"class":`outcome`,...__sveltets_2_empty({"data-testid":`archive.outcome`}),});
   { svelteHTML.createElement("p", { "class":`sum`,});
    m.archive_done({
      saved: result.saved,
      present: result.present,
      failed: result.failed.length,
      size: formatBytes(result.bytes),
    });
   }
   { svelteHTML.createElement("div", { "class":`actions`,});
    if(host.value?.favours.openPath){
       { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => archive.openFolder(result.folder),}});m.archive_open_folder(); Button}
    }
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"kind":`quiet`,"onclick":() => (archive.result = null),}});m.close(); Button}
   }
  if(result.failed.length > 0){
     { svelteHTML.createElement("ul", {});
         for(let item of __sveltets_2_ensureArray(result.failed)){`${item.connectionId}/${item.id}`;
         { svelteHTML.createElement("li", {}); { svelteHTML.createElement("strong", {});item.title; } sentenceFor(item.failure); }
      }
     }
  }
 }


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ArchiveOutcome__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ArchiveOutcome__SvelteComponent_ = ReturnType<typeof ArchiveOutcome__SvelteComponent_>;
/*Ωignore_endΩ*/export default ArchiveOutcome__SvelteComponent_;