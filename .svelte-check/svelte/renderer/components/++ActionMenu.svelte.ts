///<reference types="svelte" />
;
import ChevronDown from '@lucide/svelte/icons/chevron-down';
import Ellipsis from '@lucide/svelte/icons/ellipsis';
import { DropdownMenu } from 'bits-ui';
import './menu.css';
import type { MenuAction } from './menu-action.ts';
;

  interface Props {
    /** Read out for the three dots, shown on the other form. */
    label: string;
    /** What belongs together stands together; a line lies between the groups. */
    groups: readonly (readonly MenuAction[])[];
    dots?: boolean;
    testid: string;
  };function $$render() {

  
  
  
  
  


  const { label, groups, dots = false, testid }: Props = $props();

  const filled = $derived(groups.filter((group) => group.length > 0));
  let chosen: MenuAction | null = null;

  function choose(event: Event, action: MenuAction): void {
    // Its reason stands under it: it stays open, so that one can read on.
    if (action.reason === null) chosen = action;
    else event.preventDefault();
  }

  /** Only now is the focus back on the button, to which a dialog returns it later. */
  function runChosen(): void {
    const action = chosen;
    chosen = null;
    if (action !== null) queueMicrotask(action.run);
  }
;
async () => {

 { const $$_tooR_uneMnwodporD0C = __sveltets_2_ensureComponent(DropdownMenu.Root); new $$_tooR_uneMnwodporD0C({ target: __sveltets_2_any(), props: {children:() => { return __sveltets_2_any(0); },}});
   { const $$_reggirT_uneMnwodporD1C = __sveltets_2_ensureComponent(DropdownMenu.Trigger); const $$_reggirT_uneMnwodporD1 = new $$_reggirT_uneMnwodporD1C({ target: __sveltets_2_any(), props: {child:({ props }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("button", {          ...props,"class":dots ? 'dots' : 'words',"aria-label":dots ? label : undefined,"title":dots ? label : undefined,...__sveltets_2_empty({"data-testid":testid}),});
        if(dots){
           { const $$_sispillE1C = __sveltets_2_ensureComponent(Ellipsis); new $$_sispillE1C({ target: __sveltets_2_any(), props: {    "size":16,"aria-hidden":`true`,}});}
        }else{
          label;
           { const $$_nwoDnorvehC1C = __sveltets_2_ensureComponent(ChevronDown); new $$_nwoDnorvehC1C({ target: __sveltets_2_any(), props: {    "size":14,"aria-hidden":`true`,}});}
        }
       }
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {child} = $$_reggirT_uneMnwodporD1.$$prop_def;/*Ωignore_endΩ*/
    
   DropdownMenu.Trigger}
   { const $$_latroP_uneMnwodporD1C = __sveltets_2_ensureComponent(DropdownMenu.Portal); new $$_latroP_uneMnwodporD1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"to":`#overlays`,}});
     { const $$_tnetnoC_uneMnwodporD2C = __sveltets_2_ensureComponent(DropdownMenu.Content); new $$_tnetnoC_uneMnwodporD2C({ target: __sveltets_2_any(), props: {             children:() => { return __sveltets_2_any(0); },"class":`menu`,"align":dots ? 'end' : 'start',"sideOffset":4,"collisionPadding":8,"aria-label":label,"onCloseAutoFocus":runChosen,}});
          for(let group of __sveltets_2_ensureArray(filled)){let position = 1;position;
        if(position > 0){ { const $$_rotarapeS_uneMnwodporD3C = __sveltets_2_ensureComponent(DropdownMenu.Separator); new $$_rotarapeS_uneMnwodporD3C({ target: __sveltets_2_any(), props: {  "class":`menu-line`,}});}}
           for(let action of __sveltets_2_ensureArray(group)){action.id;
           { const $$_metI_uneMnwodporD3C = __sveltets_2_ensureComponent(DropdownMenu.Item); const $$_metI_uneMnwodporD3 = new $$_metI_uneMnwodporD3C({ target: __sveltets_2_any(), props: { "onSelect":(event) => choose(event, action),child:({ props }) => { async ()/*Ωignore_positionΩ*/ => {
               { svelteHTML.createElement("div", {        ...props,"class":['menu-item', { danger: action.danger, off: action.reason !== null }],"aria-disabled":action.reason !== null || undefined,...__sveltets_2_empty({"data-testid":`${testid}.${action.id}`}),});
                 { svelteHTML.createElement("span", {});
                  action.label;
                  if(action.reason !== null){ { svelteHTML.createElement("small", {});action.reason; }}
                 }
               }
            };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {child} = $$_metI_uneMnwodporD3.$$prop_def;/*Ωignore_endΩ*/
            
           DropdownMenu.Item}
        }
      }
     DropdownMenu.Content}
   DropdownMenu.Portal}
 DropdownMenu.Root}


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ActionMenu__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ActionMenu__SvelteComponent_ = ReturnType<typeof ActionMenu__SvelteComponent_>;
/*Ωignore_endΩ*/export default ActionMenu__SvelteComponent_;