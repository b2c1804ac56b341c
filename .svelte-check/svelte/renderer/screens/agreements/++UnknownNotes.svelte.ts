///<reference types="svelte" />
;
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
import Button from '../../components/Button.svelte';
import { unknownText } from '../../action-text.ts';
import { formatDateTime } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { book } from '../../state/agreement-book.svelte.ts';
function $$render() {

  
  
  
  
  
  
;
async () => {

   for(let row of __sveltets_2_ensureArray(book.unknown)){row.actionId;
   { svelteHTML.createElement("div", {   "class":`note`,...__sveltets_2_empty({"data-testid":`agreements.unknown`}),});
     { const $$_trelAelgnairT1C = __sveltets_2_ensureComponent(TriangleAlert); new $$_trelAelgnairT1C({ target: __sveltets_2_any(), props: {    "size":16,"aria-hidden":`true`,}});}
     { svelteHTML.createElement("p", {});
      unknownText(row.kind);
      m.unknown_since({ when: formatDateTime(row.updatedAt) });
     }
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => void book.look(row),}});m.unknown_look(); Button}
   }
}


};
return { props: {} as Record<string, never>, exports: {}, bindings: "", slots: {}, events: {} }}
const UnknownNotes__SvelteComponent_ = __sveltets_2_isomorphic_component(__sveltets_2_with_any_event($$render()));
/*Ωignore_startΩ*/type UnknownNotes__SvelteComponent_ = InstanceType<typeof UnknownNotes__SvelteComponent_>;
/*Ωignore_endΩ*/export default UnknownNotes__SvelteComponent_;