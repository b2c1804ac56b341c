///<reference types="svelte" />
;
import Field from '../../components/Field.svelte';
import { m } from '../../language.svelte.ts';
import { notesOf } from '../../problem-text.ts';
import { editing } from './editing.ts';
;

  interface Props {
    path: string;
    value: number | undefined;
  };function $$render() {

  
  
  
  


  let { path, value = $bindable() }: Props = $props()/*Ωignore_startΩ*/;value;/*Ωignore_endΩ*/;

  const { editor } = editing();
  const problem = $derived(editor.problems.at(path));
;
async () => {

 { const $$_dleiF0C = __sveltets_2_ensureComponent(Field); const $$_dleiF0 = new $$_dleiF0C({ target: __sveltets_2_any(), props: {    "label":m.draft_order(),"hint":m.draft_order_hint(),...notesOf(problem),children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
     { svelteHTML.createElement("input", {                  id,"type":`number`,"min":`1`,"step":`1`,...__sveltets_2_empty({"data-field":path}),"aria-describedby":describedBy,"aria-invalid":invalid,"value":value ?? 1,"oninput":(event) => {
        const order = event.currentTarget.valueAsNumber;
        value = Number.isNaN(order) ? undefined : order;
      },});}
  };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF0.$$prop_def;/*Ωignore_endΩ*/
  
 Field}
};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('value'), slots: {}, events: {} }}
const OrderRow__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type OrderRow__SvelteComponent_ = ReturnType<typeof OrderRow__SvelteComponent_>;
/*Ωignore_endΩ*/export default OrderRow__SvelteComponent_;