///<reference types="svelte" />
;
import { onMount } from 'svelte';
import type { DraftId } from '../../../shared/contract/ids.ts';
import Button from '../../components/Button.svelte';
import EmptyState from '../../components/EmptyState.svelte';
import FileDrop from '../../components/FileDrop.svelte';
import { formatTime } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { activity } from '../../state/activity.svelte.ts';
import { DraftDocuments } from '../../state/draft-documents.svelte.ts';
import { DraftEditor } from '../../state/draft-editor.svelte.ts';
import type { DraftSection } from '../../state/draft-problems.svelte.ts';
import { DraftSending } from '../../state/draft-sending.svelte.ts';
import { drafts } from '../../state/drafts.svelte.ts';
import { go } from '../../state/router.svelte.ts';
import { shortcuts } from '../../state/shortcuts.svelte.ts';
import { setEditing } from './editing.ts';
import EditorHeader from './EditorHeader.svelte';
import { editorCommands } from './editor-commands.ts';
import Outline from './Outline.svelte';
import Preview from './Preview.svelte';
import SaveTrouble from './SaveTrouble.svelte';
import Sections from './Sections.svelte';
import SendCheck from './SendCheck.svelte';
import { walkProblems } from './walk-problems.ts';

;type $$ComponentProps =  { id: DraftId };function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  

  const { id }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  // The screen makes a new editor for another draft.
  // svelte-ignore state_referenced_locally
  const editor = new DraftEditor(id);
  const documents = new DraftDocuments(editor);
  const sending = new DraftSending(editor);
  setEditing({ editor, documents, sending });

  let root = $state<HTMLElement>();
  let sections = $state<Sections>();
  const shown = $derived([
    { name: 'documents', title: m.draft_section_documents() },
    { name: 'parties', title: m.draft_section_parties() },
    { name: 'dates', title: m.draft_section_dates() },
    { name: 'fields', title: m.draft_section_fields() },
    ...(editor.problems.in('other').length === 0
      ? []
      : [{ name: 'other', title: m.draft_section_other() } as const]),
  ] as const satisfies readonly { name: DraftSection; title: string }[]);

  function walk(step: 1 | 0 | -1): void {
    editor.problems.insists = true;
    const fields = editor.problems.all
      .filter(({ level }) => step !== 0 || level === 'error')
      .map(({ field }) => field);
    if (root) walkProblems(root, fields, step);
  }

  async function send(): Promise<void> {
    if (!(await sending.ask()) && editor.problems.errors > 0) walk(0);
  }

  async function saveNow(): Promise<void> {
    if ((await editor.save()) && editor.savedAt !== null) {
      activity.say(m.draft_saved_say({ time: formatTime(editor.savedAt) }));
    }
  }

  /** Whoever leaves a field is done with it: it is stored, and told what is wrong with it. */
  function left(event: FocusEvent): void {
    const field = event.target instanceof HTMLElement ? event.target.dataset['field'] : undefined;
    if (field !== undefined) editor.problems.visit(field);
    void editor.save();
  }

  onMount(() => {
    const hide = (): void => {
      if (document.visibilityState === 'hidden') void editor.save();
    };
    document.addEventListener('visibilitychange', hide);
    window.addEventListener('pagehide', hide);
    const stop = shortcuts.offer(
      editorCommands(editor, {
        send: () => void send(),
        save: () => void saveNow(),
        walk,
        attach: () => sections?.chooseFile(),
        addParty: () => root?.querySelector<HTMLElement>('[data-field=parties]')?.click(),
      }),
    );
    void editor.load().then(() => documents.add(drafts.takeWaiting()));
    return () => {
      document.removeEventListener('visibilitychange', hide);
      window.removeEventListener('pagehide', hide);
      stop();
      void editor.close();
    };
  });
;
async () => {

if(editor.isGone){
   { const $$_etatSytpmE0C = __sveltets_2_ensureComponent(EmptyState); const $$_etatSytpmE0 = new $$_etatSytpmE0C({ target: __sveltets_2_any(), props: {   "title":m.draft_gone(),"hint":m.draft_gone_hint(),actions:() => { async ()/*Ωignore_positionΩ*/ => { { const $$_nottuB0C = __sveltets_2_ensureComponent(Button); new $$_nottuB0C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => go('drafts'),}});m.draft_back(); Button}};return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {actions} = $$_etatSytpmE0.$$prop_def;/*Ωignore_endΩ*/
    
   EmptyState}
}else{
   { const $$_porDeliF0C = __sveltets_2_ensureComponent(FileDrop); new $$_porDeliF0C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"words":m.draft_drop_here(),"onfiles":(files) => void documents.add(files),}});
     { const $$_div1 = svelteHTML.createElement("div", {            "class":`editor`,"role":`presentation`,"oninput":() => editor.touch(),"onfocusout":left,...__sveltets_2_empty({"data-testid":`draft.editor`}),});root = $$_div1;
      if(editor.content){
         { svelteHTML.createElement("div", {});
           { const $$_redaeHrotidE3C = __sveltets_2_ensureComponent(EditorHeader); const $$_redaeHrotidE3 = new $$_redaeHrotidE3C({ target: __sveltets_2_any(), props: {       content:editor.content,"onwalk":() => walk(1),"onsend":() => void send(),}});/*Ωignore_startΩ*/() => editor.content = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_redaeHrotidE3.$$bindings = 'content';}
           { const $$_elbuorTevaS3C = __sveltets_2_ensureComponent(SaveTrouble); new $$_elbuorTevaS3C({ target: __sveltets_2_any(), props: {}});}
         }
         { svelteHTML.createElement("div", { "class":`panes`,});
           { const $$_eniltuO3C = __sveltets_2_ensureComponent(Outline); new $$_eniltuO3C({ target: __sveltets_2_any(), props: {    "sections":shown,"onjump":(section) => sections?.jump(section),}});}
           { const $$_snoitceS3C = __sveltets_2_ensureComponent(Sections); const $$_snoitceS3 = new $$_snoitceS3C({ target: __sveltets_2_any(), props: {      content:editor.content,"sections":shown,}});sections = $$_snoitceS3;/*Ωignore_startΩ*/() => editor.content = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_snoitceS3.$$bindings = 'content';}
           { svelteHTML.createElement("aside", {   "aria-label":m.draft_preview(),...__sveltets_2_empty({"data-pane":true}),"tabindex":-1,}); { const $$_weiverP4C = __sveltets_2_ensureComponent(Preview); new $$_weiverP4C({ target: __sveltets_2_any(), props: {}});} }
         }
         { const $$_kcehCdneS2C = __sveltets_2_ensureComponent(SendCheck); new $$_kcehCdneS2C({ target: __sveltets_2_any(), props: {     "content":editor.content,"onsent":(title) => {
            activity.say(m.draft_sent({ title }));
            go('drafts');
          },}});}
      } else if (editor.failure){
         { const $$_elbuorTevaS2C = __sveltets_2_ensureComponent(SaveTrouble); new $$_elbuorTevaS2C({ target: __sveltets_2_any(), props: {}});}
      }
     }
   FileDrop}
}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Editor__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Editor__SvelteComponent_ = ReturnType<typeof Editor__SvelteComponent_>;
/*Ωignore_endΩ*/export default Editor__SvelteComponent_;