///<reference types="svelte" />
;
import Ban from '@lucide/svelte/icons/circle-x';
import Hourglass from '@lucide/svelte/icons/hourglass';
import { formatCount } from '../format.ts';
import { m } from '../language.svelte.ts';
import { screens } from '../screens/index.ts';
import { agreements } from '../state/agreements.svelte.ts';
import { railCounts } from '../state/rail-counts.svelte.ts';
import { go, hrefOf, router } from '../state/router.svelte.ts';
import ConnectionSwitcher from './ConnectionSwitcher.svelte';
function $$render() {

  
  
  
  
  
  
  
  
  

  const views = [
    { title: m.rail_expiring, icon: Hourglass, filter: { counter: 'expiring' } },
    { title: m.rail_rejected, icon: Ban, filter: { state: 'rejected' } },
  ] as const;

  function openView(filter: (typeof views)[number]['filter']): void {
    void agreements.narrow(filter);
    go('agreements');
  }
;
async () => {

 { svelteHTML.createElement("nav", {    "class":`rail`,"aria-label":m.rail_label(),...__sveltets_2_empty({"data-pane":true}),});
   { const $$_rehctiwSnoitcennoC1C = __sveltets_2_ensureComponent(ConnectionSwitcher); new $$_rehctiwSnoitcennoC1C({ target: __sveltets_2_any(), props: {}});}
   { svelteHTML.createElement("ul", {});
       for(let screen of __sveltets_2_ensureArray(screens)){screen.name;
      const count = railCounts.byScreen[screen.name] ?? 0;
       { svelteHTML.createElement("li", { "class":{ last: screen.name === 'settings' },});
         { svelteHTML.createElement("a", {           "class":`item`,"href":hrefOf(screen.name),"aria-current":router.screen === screen.name ? 'page' : undefined,"title":screen.title(),...__sveltets_2_empty({"data-testid":`shell.nav.${screen.name}`}),});
           { const $$_noci_neercs4C = __sveltets_2_ensureComponent(screen.icon); new $$_noci_neercs4C({ target: __sveltets_2_any(), props: {    "size":16,"aria-hidden":`true`,}});}
           { svelteHTML.createElement("span", { "class":`label`,});screen.title(); }
          if(count > 0){ { svelteHTML.createElement("span", { "class":`count`,});formatCount(count); }}
         }
       }
    }
   }
   { svelteHTML.createElement("h2", {});m.rail_views(); }
   { svelteHTML.createElement("ul", {});
       for(let view of __sveltets_2_ensureArray(views)){view.title;
       { svelteHTML.createElement("li", {});
         { svelteHTML.createElement("button", {         "type":`button`,"class":`item`,"title":view.title(),"onclick":() => openView(view.filter),});
           { svelteHTML.createElement("span", { "class":`icon`,}); { const $$_noci_weiv5C = __sveltets_2_ensureComponent(view.icon); new $$_noci_weiv5C({ target: __sveltets_2_any(), props: {    "size":16,"aria-hidden":`true`,}});} }
           { svelteHTML.createElement("span", { "class":`label`,});view.title(); }
         }
       }
    }
   }
 }


};
return { props: {} as Record<string, never>, exports: {}, bindings: "", slots: {}, events: {} }}
const Rail__SvelteComponent_ = __sveltets_2_isomorphic_component(__sveltets_2_with_any_event($$render()));
/*Ωignore_startΩ*/type Rail__SvelteComponent_ = InstanceType<typeof Rail__SvelteComponent_>;
/*Ωignore_endΩ*/export default Rail__SvelteComponent_;