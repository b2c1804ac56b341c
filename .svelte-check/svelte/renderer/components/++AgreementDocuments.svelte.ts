///<reference types="svelte" />
;
import type { Snippet } from 'svelte';
import type { AgreementDocument } from '../../shared/model/agreement.ts';
import { formatBytes } from '../format.ts';
import { m } from '../language.svelte.ts';
;

  interface Props {
    documents: readonly AgreementDocument[];
    /** What can be done with a document, at the end of its row. */
    tools?: Snippet<[document: AgreementDocument]>;
  };function $$render() {

  
  
  
  


  const { documents, tools }: Props = $props();

  function lineOf({ category, bytes, title }: AgreementDocument): string {
    const kind = category === 'reference' ? m.detail_reference() : m.detail_agreement_document();
    return [kind, bytes === null ? '' : formatBytes(bytes), title ?? '']
      .filter((part) => part !== '')
      .join(' · ');
  }
;
async () => {

 { svelteHTML.createElement("ul", {});
      for(let document of __sveltets_2_ensureArray(documents)){let position = 1;position;
     { svelteHTML.createElement("li", {});
       { svelteHTML.createElement("div", {});
        document.name;
         { svelteHTML.createElement("p", {});lineOf(document); }
       }
      ;__sveltets_2_ensureSnippet(tools?.(document));
     }
  }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const AgreementDocuments__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type AgreementDocuments__SvelteComponent_ = ReturnType<typeof AgreementDocuments__SvelteComponent_>;
/*Ωignore_endΩ*/export default AgreementDocuments__SvelteComponent_;