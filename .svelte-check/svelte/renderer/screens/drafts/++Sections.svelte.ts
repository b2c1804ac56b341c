///<reference types="svelte" />
;
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import { m } from '../../language.svelte.ts';
import { problemText } from '../../problem-text.ts';
import type { DraftSection } from '../../state/draft-problems.svelte.ts';
import Dates from './Dates.svelte';
import Documents from './Documents.svelte';
import { editing } from './editing.ts';
import FormFields from './FormFields.svelte';
import PartiesV1 from './PartiesV1.svelte';
import PartiesV2 from './PartiesV2.svelte';
;

  interface Props {
    content: DraftContent;
    sections: readonly { readonly name: DraftSection; readonly title: string }[];
  };function $$render() {

  
  
  
  
  
  
  
  
  
  


  let { content = $bindable(), sections }: Props = $props()/*Ωignore_startΩ*/;content;/*Ωignore_endΩ*/;

  const { editor } = editing();
  let scroll = $state<HTMLElement>();
  let documents = $state<Documents>();

  /** Brings a section into view, and goes on from there. */
   function jump(section: DraftSection): void {
    const heading = scroll?.querySelector<HTMLElement>(`[data-section=${section}] h2`);
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus();
  }

   function chooseFile(): void {
    documents?.choose();
  }
;
async () => {



 { const $$_div0 = svelteHTML.createElement("div", {          "class":`scroll`,"role":`group`,"aria-label":m.drafts_details(),"tabindex":editor.isLocked ? 0 : undefined,...__sveltets_2_empty({"data-pane":true}),});scroll = $$_div0;
   { svelteHTML.createElement("fieldset", { "disabled":editor.isLocked,});
        for(let section of __sveltets_2_ensureArray(sections)){let index = 1;section.name;
       { svelteHTML.createElement("section", {   ...__sveltets_2_empty({"data-section":section.name}),"aria-labelledby":`draft-${section.name}`,});
         { svelteHTML.createElement("h2", {   "id":`draft-${section.name}`,"tabindex":-1,});index + 1; section.title; }
        if(section.name === 'documents'){
            { const $$_stnemucoD3C = __sveltets_2_ensureComponent(Documents); const $$_stnemucoD3 = new $$_stnemucoD3C({ target: __sveltets_2_any(), props: {  content,}});documents = $$_stnemucoD3;/*Ωignore_startΩ*/() => content = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_stnemucoD3.$$bindings = 'content';}
        } else if (section.name === 'dates'){
            { const $$_setaD3C = __sveltets_2_ensureComponent(Dates); const $$_setaD3 = new $$_setaD3C({ target: __sveltets_2_any(), props: { content,}});/*Ωignore_startΩ*/() => content = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_setaD3.$$bindings = 'content';}
        } else if (section.name === 'fields'){
            { const $$_sdleiFmroF3C = __sveltets_2_ensureComponent(FormFields); const $$_sdleiFmroF3 = new $$_sdleiFmroF3C({ target: __sveltets_2_any(), props: { content,}});/*Ωignore_startΩ*/() => content = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_sdleiFmroF3.$$bindings = 'content';}
        } else if (section.name === 'other'){
           { svelteHTML.createElement("ul", {});
               for(let problem of __sveltets_2_ensureArray(editor.problems.in('other'))){`${problem.field} ${problem.code}`;
               { svelteHTML.createElement("li", {}); { svelteHTML.createElement("code", {});problem.field; } problemText(problem); }
            }
           }
        } else if (content.api === 'v1'){
           { const $$_1VseitraP3C = __sveltets_2_ensureComponent(PartiesV1); const $$_1VseitraP3 = new $$_1VseitraP3C({ target: __sveltets_2_any(), props: {   body:content.body,}});/*Ωignore_startΩ*/() => content.body = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_1VseitraP3.$$bindings = 'body';}
        }else{
           { const $$_2VseitraP3C = __sveltets_2_ensureComponent(PartiesV2); const $$_2VseitraP3 = new $$_2VseitraP3C({ target: __sveltets_2_any(), props: {   body:content.body,}});/*Ωignore_startΩ*/() => content.body = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_2VseitraP3.$$bindings = 'body';}
        }
       }
    }
   }
 }


};
return { props: {} as any as Props, exports: {} as any as { jump: typeof jump,chooseFile: typeof chooseFile }, bindings: __sveltets_$$bindings('content'), slots: {}, events: {} }}
const Sections__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Sections__SvelteComponent_ = ReturnType<typeof Sections__SvelteComponent_>;
/*Ωignore_endΩ*/export default Sections__SvelteComponent_;