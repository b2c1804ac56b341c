///<reference types="svelte" />
;
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
import X from '@lucide/svelte/icons/x';
import IconButton from '../../components/IconButton.svelte';
import { sentenceFor } from '../../failure-text.ts';
import { m } from '../../language.svelte.ts';
import { editing } from './editing.ts';
function $$render() {

  
  
  
  
  
  

  const { documents } = editing();
;
async () => {

if(documents.refused.length > 0){
   { svelteHTML.createElement("ul", {   "aria-label":m.draft_refused(),...__sveltets_2_empty({"data-testid":`draft.refused`}),});
       for(let file of __sveltets_2_ensureArray(documents.refused)){file;
       { svelteHTML.createElement("li", {});
         { const $$_trelAelgnairT2C = __sveltets_2_ensureComponent(TriangleAlert); new $$_trelAelgnairT2C({ target: __sveltets_2_any(), props: {    "size":16,"aria-hidden":`true`,}});}
         { svelteHTML.createElement("p", {}); { svelteHTML.createElement("strong", {});file.name; } sentenceFor(file.failure); }
         { const $$_nottuBnocI2C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI2C({ target: __sveltets_2_any(), props: {       "icon":X,"label":m.draft_refused_close(),"onclick":() => (documents.refused = documents.refused.filter((one) => one !== file)),}});}
       }
    }
   }
}


};
return { props: {} as Record<string, never>, exports: {}, bindings: "", slots: {}, events: {} }}
const RefusedFiles__SvelteComponent_ = __sveltets_2_isomorphic_component(__sveltets_2_with_any_event($$render()));
/*Ωignore_startΩ*/type RefusedFiles__SvelteComponent_ = InstanceType<typeof RefusedFiles__SvelteComponent_>;
/*Ωignore_endΩ*/export default RefusedFiles__SvelteComponent_;