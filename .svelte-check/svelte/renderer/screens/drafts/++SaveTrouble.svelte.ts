///<reference types="svelte" />
;
import Button from '../../components/Button.svelte';
import FailureBar from '../../components/FailureBar.svelte';
import { m } from '../../language.svelte.ts';
import { hrefOf } from '../../state/router.svelte.ts';
import { editing } from './editing.ts';
function $$render() {

  
  
  
  
  

  const { editor, sending } = editing();
  const isConflict = $derived(
    editor.failure?.code === 'conflict' && editor.failure.reason === undefined,
  );
;
async () => {

if(editor.isLocked){
   { svelteHTML.createElement("p", {   "class":`bar`,...__sveltets_2_empty({"data-testid":`draft.locked`}),});
     { svelteHTML.createElement("span", {});m.draft_locked();  { svelteHTML.createElement("a", { "href":hrefOf('outbox'),});m.draft_locked_outbox(); }  }
   }
}
if(isConflict){
   { svelteHTML.createElement("div", {   "class":`bar`,...__sveltets_2_empty({"data-testid":`draft.conflict`}),});
     { svelteHTML.createElement("span", {});m.draft_conflict(); }
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => void editor.keepMine(),}});m.draft_keep_mine(); Button}
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => void editor.takeTheirs(),}});m.draft_take_theirs(); Button}
   }
} else if (editor.failure){
   { const $$_raBeruliaF0C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF0C({ target: __sveltets_2_any(), props: {    "failure":editor.failure,"onretry":() => void editor.check(),}});}
}
if(sending.failure){ { const $$_raBeruliaF0C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF0C({ target: __sveltets_2_any(), props: {  "failure":sending.failure,}});}}


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const SaveTrouble__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type SaveTrouble__SvelteComponent_ = ReturnType<typeof SaveTrouble__SvelteComponent_>;
/*Ωignore_endΩ*/export default SaveTrouble__SvelteComponent_;