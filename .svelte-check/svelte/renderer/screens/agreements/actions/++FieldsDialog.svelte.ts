///<reference types="svelte" />
;
import { untrack } from 'svelte';
import Facts from '../../../components/Facts.svelte';
import FailureBar from '../../../components/FailureBar.svelte';
import InfoDialog from '../../../components/InfoDialog.svelte';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import type { FieldValues } from '../../../../shared/contract/actions.ts';
import { m } from '../../../language.svelte.ts';
import { TemplateValues } from '../../../state/field-values.svelte.ts';

;type $$ComponentProps =  { agreement: AgreementDetails };function $$render() {

  
  
  
  
  
  
  
  

  const { agreement }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  let open = $state(true);
  const { connectionId, id } = untrack(() => agreement);
  const { read } = new TemplateValues({ connectionId, id });

  function wordOf(value: FieldValues['fields'][number]['value']): string {
    if (value === true) return m.fields_yes();
    return value === false ? m.fields_no() : (value ?? '');
  }
;
async () => {

 { const $$_golaiDofnI0C = __sveltets_2_ensureComponent(InfoDialog); const $$_golaiDofnI0 = new $$_golaiDofnI0C({ target: __sveltets_2_any(), props: {    children:() => { return __sveltets_2_any(0); },open,"title":m.fields_title(),"close":m.act_close(),}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_golaiDofnI0.$$bindings = 'open';
  if(read.failure){
     { const $$_raBeruliaF1C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF1C({ target: __sveltets_2_any(), props: {    "failure":read.failure,"onretry":() => void read.refresh(),}});}
  } else if (read.value === null){
     { svelteHTML.createElement("p", {});m.act_reading(); }
  } else if (read.value.values === null){
     { svelteHTML.createElement("p", {});m.fields_none(); }
  }else{
    const { templateId, fields } = read.value.values;
    if(templateId !== null){ { svelteHTML.createElement("p", { "class":`quiet-text`,});m.fields_template({ id: templateId }); }}
     { const $$_stcaF1C = __sveltets_2_ensureComponent(Facts); new $$_stcaF1C({ target: __sveltets_2_any(), props: {  "rows":fields.map(({ name, value }) => ({ name, value: wordOf(value) })),}});}
  }
 InfoDialog}
};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const FieldsDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type FieldsDialog__SvelteComponent_ = ReturnType<typeof FieldsDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default FieldsDialog__SvelteComponent_;