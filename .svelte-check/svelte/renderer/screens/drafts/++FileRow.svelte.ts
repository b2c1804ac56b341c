///<reference types="svelte" />
;
import ArrowDown from '@lucide/svelte/icons/arrow-down';
import ArrowUp from '@lucide/svelte/icons/arrow-up';
import FileText from '@lucide/svelte/icons/file-text';
import X from '@lucide/svelte/icons/x';
import { tick } from 'svelte';
import type { DraftFile } from '../../../shared/contract/drafts.ts';
import IconButton from '../../components/IconButton.svelte';
import { formatBytes } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { activity } from '../../state/activity.svelte.ts';
import { editing } from './editing.ts';
import ProblemNote from './ProblemNote.svelte';
;

  type Category = 'AGREEMENT' | 'REF_DOC';;;

  interface Props {
    name: string;
    file: DraftFile | null;
    index: number;
    count: number;
    /** v1 only: whether it is part of the agreement. */
    category: Category | null;
    oncategory: (category: Category) => void;
  };function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  



  const { name, file, index, count, category, oncategory }: Props = $props();

  const { editor, documents } = editing();
  const path = $derived(`attachments.${index}`);
  const facts = $derived(
    [
      file === null || file.pages === null ? null : m.draft_pages({ count: file.pages }),
      file === null ? null : formatBytes(file.bytes),
    ].filter((fact) => fact !== null),
  );

  async function move(to: number): Promise<void> {
    if (editor.isLocked || to < 0 || to >= count) return;
    const { activeElement } = document;
    documents.move(index, to);
    activity.say(m.draft_moved({ name, place: to + 1 }));
    await tick();
    if (activeElement instanceof HTMLElement) activeElement.focus();
  }

  function press(event: KeyboardEvent): void {
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowUp') void move(index - 1);
    else if (event.key === 'ArrowDown') void move(index + 1);
    else return;
    event.preventDefault();
  }
;
async () => {

 { svelteHTML.createElement("li", { ...__sveltets_2_empty({"data-testid":`draft.${path}`}),});
  
   { svelteHTML.createElement("div", {   "class":`row`,"onkeydown":press,});
     { const $$_txeTeliF2C = __sveltets_2_ensureComponent(FileText); new $$_txeTeliF2C({ target: __sveltets_2_any(), props: {    "size":16,"aria-hidden":`true`,}});}
     { svelteHTML.createElement("span", { "class":`name`,});
       { svelteHTML.createElement("strong", {});name; }
       { svelteHTML.createElement("small", {});facts.join(' · '); }
     }
    if(category !== null){
       { svelteHTML.createElement("select", {         "aria-label":m.draft_category({ name }),...__sveltets_2_empty({"data-field":`${path}.category`}),"value":category,"onchange":(event) =>
          oncategory(event.currentTarget.value === 'REF_DOC' ? 'REF_DOC' : 'AGREEMENT'),});
         { svelteHTML.createElement("option", { "value":`AGREEMENT`,});m.draft_category_agreement(); }
         { svelteHTML.createElement("option", { "value":`REF_DOC`,});m.draft_category_reference(); }
       }
    }
     { const $$_nottuBnocI2C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI2C({ target: __sveltets_2_any(), props: {         "icon":ArrowUp,"label":m.draft_move_up({ name }),"inactive":index === 0,"onclick":() => void move(index - 1),}});}
     { const $$_nottuBnocI2C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI2C({ target: __sveltets_2_any(), props: {         "icon":ArrowDown,"label":m.draft_move_down({ name }),"inactive":index === count - 1,"onclick":() => void move(index + 1),}});}
     { const $$_nottuBnocI2C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI2C({ target: __sveltets_2_any(), props: {         "icon":X,"label":m.draft_remove({ name }),"data-field":path,"onclick":() => void documents.remove(index),}});}
   }
     for(let part of __sveltets_2_ensureArray((['file', 'category', 'token', 'fields']))){part;
     { const $$_etoNmelborP1C = __sveltets_2_ensureComponent(ProblemNote); new $$_etoNmelborP1C({ target: __sveltets_2_any(), props: {  "path":`${path}.${part}`,}});}
  }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const FileRow__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type FileRow__SvelteComponent_ = ReturnType<typeof FileRow__SvelteComponent_>;
/*Ωignore_endΩ*/export default FileRow__SvelteComponent_;