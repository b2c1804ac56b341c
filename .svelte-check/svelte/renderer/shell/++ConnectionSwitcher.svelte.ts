///<reference types="svelte" />
;
import Check from '@lucide/svelte/icons/check';
import ChevronsUpDown from '@lucide/svelte/icons/chevrons-up-down';
import { DropdownMenu } from 'bits-ui';
import type { Connection } from '../../shared/contract/connections.ts';
import '../components/menu.css';
import { apiName, environmentName } from '../connection-text.ts';
import { m } from '../language.svelte.ts';
import { connections } from '../state/connections.svelte.ts';
function $$render() {

  
  
  
  
  
  
  
  

  const name = $derived(connections.current?.name ?? m.rail_all());
  const line = $derived(
    connections.current === null
      ? m.rail_all_line({ count: connections.all.length })
      : lineOf(connections.current),
  );

  function lineOf({ environment, api }: Connection): string {
    return `${environmentName(environment)} · ${apiName(api)}`;
  }
;
async () => {

 { const $$_tooR_uneMnwodporD0C = __sveltets_2_ensureComponent(DropdownMenu.Root); new $$_tooR_uneMnwodporD0C({ target: __sveltets_2_any(), props: {children:() => { return __sveltets_2_any(0); },}});
   { const $$_reggirT_uneMnwodporD1C = __sveltets_2_ensureComponent(DropdownMenu.Trigger); const $$_reggirT_uneMnwodporD1 = new $$_reggirT_uneMnwodporD1C({ target: __sveltets_2_any(), props: {child:({ props }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("button", {    ...props,"class":`switcher`,...__sveltets_2_empty({"data-testid":`shell.connection`}),});
         { svelteHTML.createElement("span", {   "class":['dot', connections.current?.environment],"aria-hidden":`true`,}); }
         { svelteHTML.createElement("span", { "class":`visually-hidden`,});m.rail_switch(); }
         { svelteHTML.createElement("span", { "class":`words`,});
           { svelteHTML.createElement("strong", {});name; }
           { svelteHTML.createElement("small", {});line; }
         }
         { const $$_nwoDpUsnorvehC1C = __sveltets_2_ensureComponent(ChevronsUpDown); new $$_nwoDpUsnorvehC1C({ target: __sveltets_2_any(), props: {    "size":14,"aria-hidden":`true`,}});}
       }
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {child} = $$_reggirT_uneMnwodporD1.$$prop_def;/*Ωignore_endΩ*/
    
   DropdownMenu.Trigger}
   { const $$_latroP_uneMnwodporD1C = __sveltets_2_ensureComponent(DropdownMenu.Portal); new $$_latroP_uneMnwodporD1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"to":`#overlays`,}});
     { const $$_tnetnoC_uneMnwodporD2C = __sveltets_2_ensureComponent(DropdownMenu.Content); new $$_tnetnoC_uneMnwodporD2C({ target: __sveltets_2_any(), props: {       children:() => { return __sveltets_2_any(0); },"class":`menu`,"align":`start`,"sideOffset":4,"aria-label":m.rail_switch(),}});
         for(let connection of __sveltets_2_ensureArray(([null, ...connections.all]))){connection?.id ?? '';
         { const $$_metI_uneMnwodporD3C = __sveltets_2_ensureComponent(DropdownMenu.Item); new $$_metI_uneMnwodporD3C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"class":`menu-item`,"onSelect":() => void connections.switchTo(connection?.id ?? null),}});
           { const $$_kcehC4C = __sveltets_2_ensureComponent(Check); new $$_kcehC4C({ target: __sveltets_2_any(), props: {       "size":16,"aria-hidden":`true`,"style":connections.current?.id === connection?.id ? '' : 'visibility:hidden',}});}
           { svelteHTML.createElement("span", {});
            connection?.name ?? m.rail_all();
            if(connection){ { svelteHTML.createElement("small", {});lineOf(connection); }}
           }
         DropdownMenu.Item}
      }
     DropdownMenu.Content}
   DropdownMenu.Portal}
 DropdownMenu.Root}


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ConnectionSwitcher__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ConnectionSwitcher__SvelteComponent_ = ReturnType<typeof ConnectionSwitcher__SvelteComponent_>;
/*Ωignore_endΩ*/export default ConnectionSwitcher__SvelteComponent_;