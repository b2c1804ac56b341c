///<reference types="svelte" />
;
import ChevronLeft from '@lucide/svelte/icons/chevron-left';
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import Button from '../../components/Button.svelte';
import { formatTime } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { hrefOf } from '../../state/router.svelte.ts';
import { editing } from './editing.ts';
import ProblemNote from './ProblemNote.svelte';
;

  interface Props {
    content: DraftContent;
    onwalk: () => void;
    onsend: () => void;
  };function $$render() {

  
  
  
  
  
  
  
  


  let { content = $bindable(), onwalk, onsend }: Props = $props()/*Ωignore_startΩ*/;content;/*Ωignore_endΩ*/;

  const { editor } = editing();
  const title = {
    get value(): string {
      return content.api === 'v1' ? content.body.title : content.body.name;
    },
    set value(text: string) {
      if (content.api === 'v1') content.body.title = text;
      else content.body.name = text;
    },
  };
  const path = $derived(content.api === 'v1' ? 'title' : 'name');
  const problem = $derived(editor.problems.at(path));
  const saved = $derived.by(() => {
    if (editor.saving) return m.draft_saving();
    if (editor.failure !== null || editor.savedAt === null) return m.draft_unsaved();
    return m.draft_saved({ time: formatTime(editor.savedAt) });
  });
  const found = $derived.by(() => {
    const { errors, warnings } = editor.problems;
    if (errors > 0) return m.draft_problem_count({ count: errors });
    return warnings > 0 ? m.draft_warning_count({ count: warnings }) : null;
  });
;
async () => {

 { svelteHTML.createElement("header", {});
   { svelteHTML.createElement("a", {   "class":`back`,"href":hrefOf('drafts'),});
     { const $$_tfeLnorvehC2C = __sveltets_2_ensureComponent(ChevronLeft); new $$_tfeLnorvehC2C({ target: __sveltets_2_any(), props: {    "size":16,"aria-hidden":`true`,}});}
    m.draft_back();
   }
   { svelteHTML.createElement("div", { "class":`title`,});
     { svelteHTML.createElement("h1", {    "class":`visually-hidden`,"tabindex":-1,...__sveltets_2_empty({"data-screen-title":true}),});
      title.value || m.drafts_untitled();
     }
     { svelteHTML.createElement("input", {                 "aria-label":m.draft_title(),"placeholder":m.drafts_untitled(),...__sveltets_2_empty({"data-field":path}),...__sveltets_2_empty({"data-testid":`draft.title`}),"disabled":editor.isLocked,"aria-invalid":problem !== null,"aria-describedby":problem ? 'draft-title-problem' : undefined,"bind:value":title.value,});/*Ωignore_startΩ*/() => title.value = __sveltets_2_any(null);/*Ωignore_endΩ*/}
     { const $$_etoNmelborP2C = __sveltets_2_ensureComponent(ProblemNote); new $$_etoNmelborP2C({ target: __sveltets_2_any(), props: {   path,"id":`draft-title-problem`,}});}
   }
   { svelteHTML.createElement("div", { "class":`end`,});
     { svelteHTML.createElement("span", {   "class":`saved`,...__sveltets_2_empty({"data-testid":`draft.saved`}),});saved; }
    if(found){
       { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {       children:() => { return __sveltets_2_any(0); },"kind":`quiet`,"keys":`F8`,"onclick":onwalk,"data-testid":`draft.problems`,}});found; Button}
    } else if (editor.problems.check){
       { svelteHTML.createElement("span", { "class":`saved`,});m.draft_no_problems(); }
    }
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {           children:() => { return __sveltets_2_any(0); },"kind":`primary`,"keys":`Ctrl Enter`,"reason":editor.isLocked ? m.draft_why_locked() : null,"onclick":onsend,"data-testid":`draft.send`,}});
      m.draft_check_send();
     Button}
   }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('content'), slots: {}, events: {} }}
const EditorHeader__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type EditorHeader__SvelteComponent_ = ReturnType<typeof EditorHeader__SvelteComponent_>;
/*Ωignore_endΩ*/export default EditorHeader__SvelteComponent_;