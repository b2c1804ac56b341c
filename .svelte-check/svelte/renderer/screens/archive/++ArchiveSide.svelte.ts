///<reference types="svelte" />
;
import type { ArchiveItem } from '../../../shared/contract/archive.ts';
import Button from '../../components/Button.svelte';
import { formatDate, formatDateTime, formatNames } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { archive } from '../../state/archive.svelte.ts';
import { host } from '../../state/host.svelte.ts';
import { go } from '../../state/router.svelte.ts';

;type $$ComponentProps =  { item: ArchiveItem };function $$render() {

  
  
  
  
  
  
  

  const { item }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();
;
async () => {

 { svelteHTML.createElement("div", { "class":`side`,});
   { svelteHTML.createElement("h2", {});item.title; }
   { svelteHTML.createElement("dl", {});
     { svelteHTML.createElement("dt", {});m.column_parties(); }
     { svelteHTML.createElement("dd", {});item.parties === null ? m.parties_not_read() : formatNames(item.parties); }
    if(item.closedAt !== null){
       { svelteHTML.createElement("dt", {});m.archive_closed(); }
       { svelteHTML.createElement("dd", {});formatDateTime(item.closedAt); }
    }
     { svelteHTML.createElement("dt", {});m.archive_deletes(); }
     { svelteHTML.createElement("dd", {});item.deletesAt === null ? m.never() : formatDate(item.deletesAt); }
    if(item.savedAt !== null){
       { svelteHTML.createElement("dt", {});m.archive_saved(); }
       { svelteHTML.createElement("dd", {});formatDateTime(item.savedAt); }
    }
    if(item.file !== null){
       { svelteHTML.createElement("dt", {});m.archive_file(); }
       { svelteHTML.createElement("dd", { "class":`path`,});item.file; }
    }
    if(item.sha256 !== null){
       { svelteHTML.createElement("dt", {});  }
       { svelteHTML.createElement("dd", { "class":`path mono`,});item.sha256; }
    }
   }
   { svelteHTML.createElement("div", { "class":`actions`,});
    if(item.file !== null && host.value?.favours.openPath){
      const file = item.file;
       { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => archive.openFolder(file),}});m.archive_open_file(); Button}
    }
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => go('agreements', item.connectionId, item.id),}});
      m.signing_show_agreement();
     Button}
   }
 }


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ArchiveSide__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ArchiveSide__SvelteComponent_ = ReturnType<typeof ArchiveSide__SvelteComponent_>;
/*Ωignore_endΩ*/export default ArchiveSide__SvelteComponent_;