///<reference types="svelte" />
;
import ChevronDown from '@lucide/svelte/icons/chevron-down';
import { DropdownMenu } from 'bits-ui';
import { tick } from 'svelte';
import '../../components/menu.css';
import { m } from '../../language.svelte.ts';
import ProblemNote from './ProblemNote.svelte';
function $$render<Kind extends string>() {

  
  
  
  
  
  

  interface Props {
    kinds: readonly { readonly value: Kind; readonly label: string }[];
    /** How many parties there are; when one is gone, the next thing to do is here. */
    count: number;
    /** Adds one; gives its path in the body. */
    onadd: (kind: Kind) => string;
  }

  const { kinds, count, onadd }: Props = $props();

  let place = $state<HTMLElement>();
  let added: string | null = null;
  let before = 0;

  /** The first field of the party that was just added. */
  async function enter(path: string): Promise<void> {
    await tick();
    const card = place?.parentElement?.querySelector(`[data-testid="draft.${path}"]`);
    card?.querySelector('input')?.focus();
  }

  $effect(() => {
    if (count < before) place?.querySelector('button')?.focus();
    before = count;
  });
;
async () => {

 { const $$_div0 = svelteHTML.createElement("div", { });place = $$_div0;
   { const $$_tooR_uneMnwodporD1C = __sveltets_2_ensureComponent(DropdownMenu.Root); new $$_tooR_uneMnwodporD1C({ target: __sveltets_2_any(), props: {children:() => { return __sveltets_2_any(0); },}});
     { const $$_reggirT_uneMnwodporD2C = __sveltets_2_ensureComponent(DropdownMenu.Trigger); const $$_reggirT_uneMnwodporD2 = new $$_reggirT_uneMnwodporD2C({ target: __sveltets_2_any(), props: {child:({ props }) => { async ()/*Ωignore_positionΩ*/ => {
         { svelteHTML.createElement("button", {      ...props,"class":`add`,...__sveltets_2_empty({"data-field":`parties`}),...__sveltets_2_empty({"data-testid":`draft.add-party`}),});
          m.draft_add_party();
           { const $$_nwoDnorvehC1C = __sveltets_2_ensureComponent(ChevronDown); new $$_nwoDnorvehC1C({ target: __sveltets_2_any(), props: {    "size":14,"aria-hidden":`true`,}});}
         }
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {child} = $$_reggirT_uneMnwodporD2.$$prop_def;/*Ωignore_endΩ*/
      
     DropdownMenu.Trigger}
     { const $$_latroP_uneMnwodporD2C = __sveltets_2_ensureComponent(DropdownMenu.Portal); new $$_latroP_uneMnwodporD2C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"to":`#overlays`,}});
       { const $$_tnetnoC_uneMnwodporD3C = __sveltets_2_ensureComponent(DropdownMenu.Content); new $$_tnetnoC_uneMnwodporD3C({ target: __sveltets_2_any(), props: {           children:() => { return __sveltets_2_any(0); },"class":`menu`,"align":`start`,"sideOffset":4,"aria-label":m.draft_add_party(),"onCloseAutoFocus":(event) => {
          if (added === null) return;
          event.preventDefault();
          void enter(added);
          added = null;
        },}});
           for(let kind of __sveltets_2_ensureArray(kinds)){kind.value;
           { const $$_metI_uneMnwodporD4C = __sveltets_2_ensureComponent(DropdownMenu.Item); new $$_metI_uneMnwodporD4C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"class":`menu-item`,"onSelect":() => (added = onadd(kind.value)),}});
            kind.label;
           DropdownMenu.Item}
        }
       DropdownMenu.Content}
     DropdownMenu.Portal}
   DropdownMenu.Root}
   { const $$_etoNmelborP1C = __sveltets_2_ensureComponent(ProblemNote); new $$_etoNmelborP1C({ target: __sveltets_2_any(), props: {  "path":`parties`,}});}
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
class __sveltets_Render<Kind extends string> {
    props(): ReturnType<typeof $$render<Kind>>['props'] { return null as any; }
    events(): ReturnType<typeof $$render<Kind>>['events'] { return null as any; }
    slots(): ReturnType<typeof $$render<Kind>>['slots'] { return null as any; }
    bindings() { return __sveltets_$$bindings(''); }
    exports() { return {}; }
}

interface $$IsomorphicComponent {
    new <Kind extends string>(options: import('svelte').ComponentConstructorOptions<ReturnType<__sveltets_Render<Kind>['props']>>): import('svelte').SvelteComponent<ReturnType<__sveltets_Render<Kind>['props']>, ReturnType<__sveltets_Render<Kind>['events']>, ReturnType<__sveltets_Render<Kind>['slots']>> & { $$bindings?: ReturnType<__sveltets_Render<Kind>['bindings']> } & ReturnType<__sveltets_Render<Kind>['exports']>;
    <Kind extends string>(internal: unknown, props: ReturnType<__sveltets_Render<Kind>['props']> & {}): ReturnType<__sveltets_Render<Kind>['exports']>;
    z_$$bindings?: ReturnType<__sveltets_Render<any>['bindings']>;
}
const AddParty__SvelteComponent_: $$IsomorphicComponent = null as any;
/*Ωignore_startΩ*/type AddParty__SvelteComponent_<Kind extends string> = InstanceType<typeof AddParty__SvelteComponent_<Kind>>;
/*Ωignore_endΩ*/export default AddParty__SvelteComponent_;