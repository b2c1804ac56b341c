///<reference types="svelte" />
;
import { onMount } from 'svelte';
import Button from '../../components/Button.svelte';
import Facts from '../../components/Facts.svelte';
import FailureBar from '../../components/FailureBar.svelte';
import StateBadge from '../../components/StateBadge.svelte';
import { api } from '../../desk.ts';
import { m } from '../../language.svelte.ts';
import { host } from '../../state/host.svelte.ts';
import { Loaded } from '../../state/loaded.svelte.ts';
function $$render() {

  
  
  
  
  
  
  
  
  

  const doctor = new Loaded(() => api['host.doctor']({}));
  const facts = $derived(
    host.value === null
      ? []
      : [
          { name: m.settings_data_folder(), value: host.value.dataFolder },
          { name: m.settings_version(), value: host.value.version },
        ],
  );

  onMount(() => void doctor.refresh());
;
async () => {

 { const $$_stcaF0C = __sveltets_2_ensureComponent(Facts); new $$_stcaF0C({ target: __sveltets_2_any(), props: {  "rows":facts,}});}
 { svelteHTML.createElement("h3", {});m.settings_doctor(); }
if(doctor.failure){ { const $$_raBeruliaF0C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF0C({ target: __sveltets_2_any(), props: {  "failure":doctor.failure,}});}}
if(doctor.value){
   { svelteHTML.createElement("table", { ...__sveltets_2_empty({"data-testid":`settings.doctor`}),});
     { svelteHTML.createElement("thead", {});
       { svelteHTML.createElement("tr", {});
         { svelteHTML.createElement("th", { "scope":`col`,});m.settings_doctor_check(); }
         { svelteHTML.createElement("th", { "scope":`col`,});m.settings_doctor_result(); }
       }
     }
     { svelteHTML.createElement("tbody", {});
         for(let check of __sveltets_2_ensureArray(doctor.value.checks)){check.name;
         { svelteHTML.createElement("tr", {});
           { svelteHTML.createElement("th", { "scope":`row`,});check.name; }
           { svelteHTML.createElement("td", {});
             { const $$_egdaBetatS4C = __sveltets_2_ensureComponent(StateBadge); new $$_egdaBetatS4C({ target: __sveltets_2_any(), props: {     "tone":check.ok ? 'signed' : 'attention',"word":check.ok ? m.settings_ok() : m.settings_problem(),}});}
            check.note;
           }
         }
      }
     }
   }
}
 { svelteHTML.createElement("div", {});
   { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => void doctor.refresh(),}});m.settings_doctor_run(); Button}
 }


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Diagnostics__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Diagnostics__SvelteComponent_ = ReturnType<typeof Diagnostics__SvelteComponent_>;
/*Ωignore_endΩ*/export default Diagnostics__SvelteComponent_;