///<reference types="svelte" />
;
import Eye from '@lucide/svelte/icons/eye';
import EyeOff from '@lucide/svelte/icons/eye-off';
import { maskPersonNumber } from '../../../shared/rules/mask.ts';
import Field from '../../components/Field.svelte';
import IconButton from '../../components/IconButton.svelte';
import { m } from '../../language.svelte.ts';
import { notesOf } from '../../problem-text.ts';
import { editing } from './editing.ts';
;

  interface Props {
    label: string;
    path: string;
    value: string | undefined;
    hint?: string;
  };function $$render() {

  
  
  
  
  
  
  
  


  let { label, path, value = $bindable(), hint }: Props = $props()/*Ωignore_startΩ*/;value;/*Ωignore_endΩ*/;

  const { editor } = editing();
  const problem = $derived(editor.problems.at(path));
  let revealed = $state(false);
  let focused = $state(false);
  const isOpen = $derived(revealed || focused);
;
async () => {


 { const $$_dleiF0C = __sveltets_2_ensureComponent(Field); const $$_dleiF0 = new $$_dleiF0C({ target: __sveltets_2_any(), props: {  label,...hint === undefined ? {} : { hint },...notesOf(problem),children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
     { svelteHTML.createElement("div", { "class":`row`,});
       { svelteHTML.createElement("input", {                    id,...__sveltets_2_empty({"data-field":path}),"autocomplete":`off`,"spellcheck":`false`,"aria-describedby":describedBy,"aria-invalid":invalid,"value":isOpen ? (value ?? '') : maskPersonNumber(value ?? ''),"oninput":(event) => (value = event.currentTarget.value.trim()),"onfocus":() => (focused = true),"onblur":() => (focused = false),});}
      if(value){
        
         { const $$_nottuBnocI1C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI1C({ target: __sveltets_2_any(), props: {           "tabindex":-1,"icon":revealed ? EyeOff : Eye,"label":revealed ? m.draft_conceal() : m.draft_reveal_of(),"aria-pressed":revealed,"onclick":() => (revealed = !revealed),}});}
      }
     }
  };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF0.$$prop_def;/*Ωignore_endΩ*/
  
 Field}


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('value'), slots: {}, events: {} }}
const SecretRow__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type SecretRow__SvelteComponent_ = ReturnType<typeof SecretRow__SvelteComponent_>;
/*Ωignore_endΩ*/export default SecretRow__SvelteComponent_;