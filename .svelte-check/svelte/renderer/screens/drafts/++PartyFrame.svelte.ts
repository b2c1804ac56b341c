///<reference types="svelte" />
;
import ArrowDown from '@lucide/svelte/icons/arrow-down';
import ArrowUp from '@lucide/svelte/icons/arrow-up';
import X from '@lucide/svelte/icons/x';
import { type Snippet, tick } from 'svelte';
import IconButton from '../../components/IconButton.svelte';
import { m } from '../../language.svelte.ts';
import { activity } from '../../state/activity.svelte.ts';
import { editing } from './editing.ts';
;

  interface Props {
    /** Its place in its list and how many there are. */
    index: number;
    count: number;
    /** Where its letter begins: v2 has two lists. */
    before?: number;
    name: string;
    path: string;
    onmove: (to: number) => void;
    onremove: () => void;
    /** Beside the name. */
    kind: Snippet;
    children: Snippet;
  };function $$render() {

  
  
  
  
  
  
  
  


  const {
    index,
    count,
    before = 0,
    name,
    path,
    onmove,
    onremove,
    kind,
    children,
  }: Props = $props();

  const { editor } = editing();
  const letter = $derived(String.fromCharCode('A'.charCodeAt(0) + ((before + index) % 26)));
  const title = $derived(name === '' ? m.draft_party_nameless({ letter }) : name);

  async function move(to: number): Promise<void> {
    if (editor.isLocked || to < 0 || to >= count) return;
    const { activeElement } = document;
    onmove(to);
    editor.touch();
    activity.say(m.draft_moved({ name: title, place: to + 1 }));
    await tick();
    // A card that is put elsewhere loses the focus that was in it.
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

 { svelteHTML.createElement("li", {});
   { svelteHTML.createElement("article", {   "aria-label":title,...__sveltets_2_empty({"data-testid":`draft.${path}`}),});
    
     { svelteHTML.createElement("div", {   "class":`card`,"onkeydown":press,});
       { svelteHTML.createElement("header", {});
         { svelteHTML.createElement("span", {   "class":`letter`,"aria-hidden":`true`,});letter; }
         { svelteHTML.createElement("h3", {});title; }
         { svelteHTML.createElement("div", { "class":`tools`,});
           { const $$_nottuBnocI5C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI5C({ target: __sveltets_2_any(), props: {         "icon":ArrowUp,"label":m.draft_move_up({ name: title }),"inactive":index === 0,"onclick":() => void move(index - 1),}});}
           { const $$_nottuBnocI5C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI5C({ target: __sveltets_2_any(), props: {         "icon":ArrowDown,"label":m.draft_move_down({ name: title }),"inactive":index === count - 1,"onclick":() => void move(index + 1),}});}
           { const $$_nottuBnocI5C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI5C({ target: __sveltets_2_any(), props: {      "icon":X,"label":m.draft_remove({ name: title }),"onclick":onremove,}});}
         }
         { svelteHTML.createElement("div", { "class":`kind`,});;__sveltets_2_ensureSnippet(kind()); }
       }
       { svelteHTML.createElement("div", { "class":`fields`,});;__sveltets_2_ensureSnippet(children()); }
     }
   }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const PartyFrame__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type PartyFrame__SvelteComponent_ = ReturnType<typeof PartyFrame__SvelteComponent_>;
/*Ωignore_endΩ*/export default PartyFrame__SvelteComponent_;