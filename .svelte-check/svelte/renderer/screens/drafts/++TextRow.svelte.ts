///<reference types="svelte" />
;
import { lengthOf } from '../../../shared/rules/draft-findings.ts';
import Field from '../../components/Field.svelte';
import { formatCount } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { notesOf } from '../../problem-text.ts';
import { editing } from './editing.ts';
;

  interface Props {
    label: string;
    /** The path in the body, by which problems find the field. */
    path: string;
    value: string | undefined;
    hint?: string;
    /** How many characters the service takes. */
    most?: number;
    type?: 'text' | 'email' | 'tel';
    /** Rows of a text of several lines. */
    rows?: number;
    /** The person left the field. */
    onleave?: () => void;
  };function $$render() {

  
  
  
  
  
  


  let {
    label,
    path,
    value = $bindable(),
    hint,
    most,
    type = 'text',
    rows,
    onleave,
  }: Props = $props()/*Ωignore_startΩ*/;value;/*Ωignore_endΩ*/;

  const { editor } = editing();
  const problem = $derived(editor.problems.at(path));
  const counter = $derived(
    most === undefined
      ? {}
      : {
          counter: m.draft_counter({
            length: formatCount(lengthOf(value ?? '')),
            most: formatCount(most),
          }),
        },
  );
;
async () => {

 { const $$_dleiF0C = __sveltets_2_ensureComponent(Field); const $$_dleiF0 = new $$_dleiF0C({ target: __sveltets_2_any(), props: {   label,...hint === undefined ? {} : { hint },...counter,...notesOf(problem),children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
    if(rows){
       { svelteHTML.createElement("textarea", {           id,rows,...__sveltets_2_empty({"data-field":path}),"aria-describedby":describedBy,"aria-invalid":invalid,"bind:value":value,"onblur":onleave,});/*Ωignore_startΩ*/() => value = __sveltets_2_any(null);/*Ωignore_endΩ*/ }
    }else{
       { svelteHTML.createElement("input", {                id,type,...__sveltets_2_empty({"data-field":path}),"autocomplete":`off`,"spellcheck":`false`,"aria-describedby":describedBy,"aria-invalid":invalid,"bind:value":value,"onblur":onleave,});/*Ωignore_startΩ*/() => value = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    }
  };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF0.$$prop_def;/*Ωignore_endΩ*/
  
 Field}
};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('value'), slots: {}, events: {} }}
const TextRow__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type TextRow__SvelteComponent_ = ReturnType<typeof TextRow__SvelteComponent_>;
/*Ωignore_endΩ*/export default TextRow__SvelteComponent_;