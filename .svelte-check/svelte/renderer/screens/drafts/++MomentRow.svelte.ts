///<reference types="svelte" />
;
import Field from '../../components/Field.svelte';
import { m } from '../../language.svelte.ts';
import { notesOf } from '../../problem-text.ts';
import { stampOf, wallOf } from '../../state/draft-time.ts';
import { editing } from './editing.ts';
;

  interface Props {
    label: string;
    hint: string;
    path: string;
    /** The v1 timestamp; people see Swedish wall time. */
    value: string | undefined;
  };function $$render() {

  
  
  
  
  


  let { label, hint, path, value = $bindable() }: Props = $props()/*Ωignore_startΩ*/;value;/*Ωignore_endΩ*/;

  const { editor } = editing();
  const problem = $derived(editor.problems.at(path));
  const wall = $derived(wallOf(value));

  function set(date: string, time: string): void {
    if (date === '') value = undefined;
    // A year that is still being typed is no date yet: what was there stays until it is one.
    else value = stampOf({ date, time }) ?? value;
    editor.touch();
  }
;
async () => {

 { const $$_dleiF0C = __sveltets_2_ensureComponent(Field); const $$_dleiF0 = new $$_dleiF0C({ target: __sveltets_2_any(), props: {  label,hint,...notesOf(problem),children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
     { svelteHTML.createElement("div", { "class":`moment`,});
       { svelteHTML.createElement("input", {                id,"type":`date`,...__sveltets_2_empty({"data-field":path}),"aria-describedby":describedBy,"aria-invalid":invalid,"value":wall.date,"onchange":(event) => set(event.currentTarget.value, wall.time),"onblur":(event) => (event.currentTarget.value = wall.date),});}
       { svelteHTML.createElement("input", {           "type":`time`,"aria-label":m.draft_time_of({ label }),"value":wall.time,"disabled":wall.date === '',"onchange":(event) => set(wall.date, event.currentTarget.value),});}
     }
  };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF0.$$prop_def;/*Ωignore_endΩ*/
  
 Field}


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('value'), slots: {}, events: {} }}
const MomentRow__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type MomentRow__SvelteComponent_ = ReturnType<typeof MomentRow__SvelteComponent_>;
/*Ωignore_endΩ*/export default MomentRow__SvelteComponent_;