///<reference types="svelte" />
;
import Check from '@lucide/svelte/icons/check';
import CircleAlert from '@lucide/svelte/icons/circle-alert';
import Info from '@lucide/svelte/icons/info';
import { ConnectionId } from '../../../shared/contract/ids.ts';
import { m } from '../../language.svelte.ts';
import { connections } from '../../state/connections.svelte.ts';
import type { DraftSection } from '../../state/draft-problems.svelte.ts';
import { editing } from './editing.ts';
;

  interface Props {
    sections: readonly { readonly name: DraftSection; readonly title: string }[];
    onjump: (section: DraftSection) => void;
  };function $$render() {

  
  
  
  
  
  
  
  


  const { sections, onjump }: Props = $props();

  const { editor } = editing();
  const id = $props.id();
  const possible = $derived(
    connections.all.filter((connection) => connection.api === editor.content?.api),
  );

  function markOf(section: DraftSection) {
    const problems = editor.problems.in(section);
    const errors = problems.filter(({ level }) => level === 'error').length;
    if (errors > 0) return { icon: CircleAlert, words: m.draft_problem_count({ count: errors }) };
    if (problems.length > 0) {
      return { icon: Info, words: m.draft_warning_count({ count: problems.length }) };
    }
    return { icon: Check, words: m.draft_section_ready() };
  }

  function choose(value: string): void {
    editor.connectionId = value === '' ? null : ConnectionId.parse(value);
    editor.touch();
  }
;
async () => {

 { svelteHTML.createElement("nav", {  "aria-label":m.draft_outline(),...__sveltets_2_empty({"data-pane":true}),});
   { svelteHTML.createElement("ol", {});
        for(let section of __sveltets_2_ensureArray(sections)){let index = 1;section.name;
      const mark = markOf(section.name);
       { svelteHTML.createElement("li", {});
         { svelteHTML.createElement("button", {   "type":`button`,"onclick":() => onjump(section.name),});
           { svelteHTML.createElement("span", {});index + 1; section.title; }
           { svelteHTML.createElement("span", {   "class":['mark', { bad: mark.icon === CircleAlert }],"title":mark.words,});
             { const $$_noci_kram5C = __sveltets_2_ensureComponent(mark.icon); new $$_noci_kram5C({ target: __sveltets_2_any(), props: {    "size":16,"aria-hidden":`true`,}});}
             { svelteHTML.createElement("span", { "class":`visually-hidden`,});mark.words; }
           }
         }
       }
    }
   }
   { svelteHTML.createElement("div", { "class":`for`,});
     { svelteHTML.createElement("label", { "for":id,});m.draft_for(); }
     { svelteHTML.createElement("select", {        id,"value":editor.connectionId ?? '',"disabled":editor.isLocked,"onchange":(event) => choose(event.currentTarget.value),});
       { svelteHTML.createElement("option", {"value":"",});m.draft_for_none(); }
         for(let connection of __sveltets_2_ensureArray(possible)){connection.id;
         { svelteHTML.createElement("option", { "value":connection.id,});connection.name; }
      }
     }
   }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Outline__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Outline__SvelteComponent_ = ReturnType<typeof Outline__SvelteComponent_>;
/*Ωignore_endΩ*/export default Outline__SvelteComponent_;