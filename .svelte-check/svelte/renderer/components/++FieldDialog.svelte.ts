///<reference types="svelte" />
;
import { m } from '../language.svelte.ts';
import Confirm from './Confirm.svelte';
import Field from './Field.svelte';
;

  interface Props {
    open: boolean;
    title: string;
    label: string;
    confirm: string;
    /** What stands in the field when the dialog opens. */
    start?: string;
    secret?: boolean;
    onconfirm: (value: string) => void;
  };function $$render() {

  
  
  


  let {
    open = $bindable(),
    title,
    label,
    confirm,
    start = '',
    secret = false,
    onconfirm,
  }: Props = $props()/*Ωignore_startΩ*/;open;/*Ωignore_endΩ*/;

  // Opened again, it starts again: what was typed before is not kept, secrets least of all.
  let value = $derived(open ? start : '');
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {         children:() => { return __sveltets_2_any(0); },open,title,confirm,"cancel":m.common_cancel(),"reason":value.trim() === '' ? m.settings_field_missing() : null,"onconfirm":() => onconfirm(value.trim()),}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {label,children:({ id }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("input", {         id,"type":secret ? 'password' : 'text',"autocomplete":`off`,"spellcheck":`false`,"bind:value":value,});/*Ωignore_startΩ*/() => value = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
 Confirm}
};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('open'), slots: {}, events: {} }}
const FieldDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type FieldDialog__SvelteComponent_ = ReturnType<typeof FieldDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default FieldDialog__SvelteComponent_;