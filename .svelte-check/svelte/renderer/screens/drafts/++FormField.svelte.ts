///<reference types="svelte" />
;
import type { PdfField } from '../../../shared/contract/templates.ts';
import { lengthOf } from '../../../shared/rules/draft-findings.ts';
import Field from '../../components/Field.svelte';
import { formatCount } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { notesOf } from '../../problem-text.ts';
import { editing } from './editing.ts';
;

  interface Props {
    field: PdfField;
    /** Path of the values it belongs to. */
    path: string;
    values: { name: string; value: string }[] | undefined;
  };function $$render() {

  
  
  
  
  
  
  


  let { field, path, values = $bindable() }: Props = $props()/*Ωignore_startΩ*/;values;/*Ωignore_endΩ*/;

  const { editor } = editing();
  const place = $derived(values?.findIndex(({ name }) => name === field.name) ?? -1);
  const value = $derived(values?.[place]?.value ?? field.value);
  const at = $derived(`${path}.${place < 0 ? field.name : place}.value`);
  const problem = $derived(editor.problems.at(at));
  const counter = $derived(
    field.maxLength === undefined
      ? {}
      : {
          counter: m.draft_counter({
            length: formatCount(lengthOf(value)),
            most: formatCount(field.maxLength),
          }),
        },
  );

  /** What the PDF holds by itself needs no value of ours. */
  function set(text: string): void {
    const others = (values ?? []).filter(({ name }) => name !== field.name);
    const isOwn = text !== field.value;
    const all = (values ?? []).map((one) =>
      one.name === field.name ? { name: one.name, value: text } : one,
    );
    if (!isOwn) values = others.length === 0 ? undefined : others;
    else values = place < 0 ? [...others, { name: field.name, value: text }] : all;
  }
;
async () => {

if(field.type === 'signature'){
   { svelteHTML.createElement("p", { "class":`note`,});m.draft_field_sign({ name: field.name }); }
} else if (field.type !== 'button'){
   { const $$_dleiF0C = __sveltets_2_ensureComponent(Field); const $$_dleiF0 = new $$_dleiF0C({ target: __sveltets_2_any(), props: {      "label":field.name,...field.readOnly ? { hint: m.draft_field_fixed() } : {},...counter,...notesOf(problem),children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
      const shared = {
        id,
        'data-field': at,
        'aria-describedby': describedBy,
        'aria-invalid': invalid,
        disabled: field.readOnly,
      };
      if(field.type === 'checkbox'){
         { svelteHTML.createElement("span", { "class":`tick`,});
           { svelteHTML.createElement("input", {        ...shared,"type":`checkbox`,"checked":value === 'true',"onchange":(event) => set(String(event.currentTarget.checked)),});}
         }
      } else if (field.options && field.type !== 'text'){
         { svelteHTML.createElement("select", {   ...shared,value,"onchange":(event) => set(event.currentTarget.value),});
           { svelteHTML.createElement("option", {"value":"",});m.draft_field_empty(); }
             for(let option of __sveltets_2_ensureArray(new Set(field.options))){option;
             { svelteHTML.createElement("option", { "value":option,});option; }
          }
         }
      } else if (field.multiline){
         { svelteHTML.createElement("textarea", {      ...shared,"rows":3,value,"oninput":(event) => set(event.currentTarget.value),}); }
      }else{
         { svelteHTML.createElement("input", {    ...shared,value,"oninput":(event) => set(event.currentTarget.value),});}
      }
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF0.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
}


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('values'), slots: {}, events: {} }}
const FormField__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type FormField__SvelteComponent_ = ReturnType<typeof FormField__SvelteComponent_>;
/*Ωignore_endΩ*/export default FormField__SvelteComponent_;