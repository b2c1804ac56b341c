///<reference types="svelte" />
;
import Confirm from '../../../components/Confirm.svelte';
import { m } from '../../../language.svelte.ts';
import type { Conflict } from '../../../state/agreement-changes.svelte.ts';

;type $$ComponentProps =  { conflict: Conflict };function $$render() {

  
  
  

  const { conflict }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  let open = $state(true);
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {           children:() => { return __sveltets_2_any(0); },open,"title":m.changed_title(),"confirm":m.changed_again(),"cancel":m.changed_leave(),"reason":conflict.again === null ? m.changed_unread() : null,"onconfirm":() => void conflict.again?.(),}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { svelteHTML.createElement("p", {});m.changed_lead(); }
   { svelteHTML.createElement("table", { ...__sveltets_2_empty({"data-testid":`agreements.changed`}),});
     { svelteHTML.createElement("thead", {});
       { svelteHTML.createElement("tr", {});
         { svelteHTML.createElement("td", {}); }
         { svelteHTML.createElement("th", { "scope":`col`,});m.changed_now(); }
         { svelteHTML.createElement("th", { "scope":`col`,});m.changed_yours(); }
       }
     }
     { svelteHTML.createElement("tbody", {});
         for(let { name, wanted, now } of __sveltets_2_ensureArray(conflict.differences)){name;
         { svelteHTML.createElement("tr", {});
           { svelteHTML.createElement("th", { "scope":`row`,});name; }
           { svelteHTML.createElement("td", {});now; }
           { svelteHTML.createElement("td", {});wanted; }
         }
      }
     }
   }
   { svelteHTML.createElement("p", { "class":`quiet-text`,});m.changed_hint(); }
 Confirm}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ChangedDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ChangedDialog__SvelteComponent_ = ReturnType<typeof ChangedDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default ChangedDialog__SvelteComponent_;