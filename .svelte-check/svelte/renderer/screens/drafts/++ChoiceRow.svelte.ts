///<reference types="svelte" />
;
import Field from '../../components/Field.svelte';
import { notesOf } from '../../problem-text.ts';
import { editing } from './editing.ts';
function $$render<Value extends string>() {

  
  
  

  interface Props {
    label: string;
    path: string;
    value: Value;
    items: readonly { readonly value: Value; readonly label: string }[];
    hint?: string;
    onchoose: (value: Value) => void;
  }

  const { label, path, value, items, hint, onchoose }: Props = $props();

  const { editor } = editing();
  const problem = $derived(editor.problems.at(path));
;
async () => {

 { const $$_dleiF0C = __sveltets_2_ensureComponent(Field); const $$_dleiF0 = new $$_dleiF0C({ target: __sveltets_2_any(), props: {  label,...hint === undefined ? {} : { hint },...notesOf(problem),children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
     { svelteHTML.createElement("select", {           id,...__sveltets_2_empty({"data-field":path}),"aria-describedby":describedBy,"aria-invalid":invalid,value,"onchange":(event) => {
        const chosen = items.find((item) => item.value === event.currentTarget.value);
        if (chosen) onchoose(chosen.value);
      },});
         for(let item of __sveltets_2_ensureArray(items)){item.value;
         { svelteHTML.createElement("option", { "value":item.value,});item.label; }
      }
     }
  };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF0.$$prop_def;/*Ωignore_endΩ*/
  
 Field}
};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
class __sveltets_Render<Value extends string> {
    props(): ReturnType<typeof $$render<Value>>['props'] { return null as any; }
    events(): ReturnType<typeof $$render<Value>>['events'] { return null as any; }
    slots(): ReturnType<typeof $$render<Value>>['slots'] { return null as any; }
    bindings() { return __sveltets_$$bindings(''); }
    exports() { return {}; }
}

interface $$IsomorphicComponent {
    new <Value extends string>(options: import('svelte').ComponentConstructorOptions<ReturnType<__sveltets_Render<Value>['props']>>): import('svelte').SvelteComponent<ReturnType<__sveltets_Render<Value>['props']>, ReturnType<__sveltets_Render<Value>['events']>, ReturnType<__sveltets_Render<Value>['slots']>> & { $$bindings?: ReturnType<__sveltets_Render<Value>['bindings']> } & ReturnType<__sveltets_Render<Value>['exports']>;
    <Value extends string>(internal: unknown, props: ReturnType<__sveltets_Render<Value>['props']> & {}): ReturnType<__sveltets_Render<Value>['exports']>;
    z_$$bindings?: ReturnType<__sveltets_Render<any>['bindings']>;
}
const ChoiceRow__SvelteComponent_: $$IsomorphicComponent = null as any;
/*Ωignore_startΩ*/type ChoiceRow__SvelteComponent_<Value extends string> = InstanceType<typeof ChoiceRow__SvelteComponent_<Value>>;
/*Ωignore_endΩ*/export default ChoiceRow__SvelteComponent_;