///<reference types="svelte" />
;
import { parseV2, printV2 } from '../../shared/rules/wire-time.ts';
import { m } from '../language.svelte.ts';
import Field from './Field.svelte';
;

  interface Props {
    label: string;
    hint: string;
    problem: string | null;
    /** Epoch milliseconds; people see Swedish wall time, as the service's mails do. */
    value: number | null;
    testid: string;
  };function $$render() {

  
  
  


  let { label, hint, problem, value = $bindable(), testid }: Props = $props()/*Ωignore_startΩ*/;value;/*Ωignore_endΩ*/;

  /** What people mean by "until the 5th". */
  const LAST_MINUTE = '23:59';

  const wall = $derived(value === null ? '' : printV2(value));
  const date = $derived(wall.slice(0, 10));
  const time = $derived(wall.slice(11, 16));

  function set(newDate: string, newTime: string): void {
    const at = parseV2(`${newDate} ${newTime === '' ? LAST_MINUTE : newTime}:00`);
    // A year that is still being typed is no date yet: what was there stays until it is one.
    if (newDate === '') value = null;
    else if (at !== null && at >= 0) value = at;
  }
;
async () => {

 { const $$_dleiF0C = __sveltets_2_ensureComponent(Field); const $$_dleiF0 = new $$_dleiF0C({ target: __sveltets_2_any(), props: {  label,hint,problem,children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
     { svelteHTML.createElement("div", { "class":`moment`,});
       { svelteHTML.createElement("input", {                id,"type":`date`,"aria-describedby":describedBy,"aria-invalid":invalid,"value":date,"onchange":(event) => set(event.currentTarget.value, time),"onblur":(event) => (event.currentTarget.value = date),...__sveltets_2_empty({"data-testid":testid}),});}
       { svelteHTML.createElement("input", {           "type":`time`,"aria-label":m.draft_time_of({ label }),"value":time,"disabled":date === '',"onchange":(event) => set(date, event.currentTarget.value),});}
     }
  };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF0.$$prop_def;/*Ωignore_endΩ*/
  
 Field}


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('value'), slots: {}, events: {} }}
const MomentField__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type MomentField__SvelteComponent_ = ReturnType<typeof MomentField__SvelteComponent_>;
/*Ωignore_endΩ*/export default MomentField__SvelteComponent_;