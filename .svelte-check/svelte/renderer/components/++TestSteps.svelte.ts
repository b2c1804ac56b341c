///<reference types="svelte" />
;
import Circle from '@lucide/svelte/icons/circle';
import CircleCheck from '@lucide/svelte/icons/circle-check';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
import type { TestResult } from '../../shared/contract/connections.ts';
import { m } from '../language.svelte.ts';
import { noteText, stepName, testSteps } from '../test-text.ts';

;type $$ComponentProps =  { result: TestResult | null };function $$render() {

  
  
  
  
  
  

  /** Null while the test runs. */
  const { result }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const rows = $derived(
    testSteps.map((step) => ({ step, told: result?.steps.find((told) => told.step === step) })),
  );
;
async () => {

 { svelteHTML.createElement("ul", {     "aria-label":m.test_result(),"aria-busy":result === null,...__sveltets_2_empty({"data-testid":`connection.test`}),});
     for(let { step, told } of __sveltets_2_ensureArray(rows)){step;
     { svelteHTML.createElement("li", { "class":{ ok: told?.ok, bad: told?.ok === false && told.note !== 'skipped' },});
      if(told === undefined || told.note === 'skipped'){
         { const $$_elcriC2C = __sveltets_2_ensureComponent(Circle); new $$_elcriC2C({ target: __sveltets_2_any(), props: {    "size":16,"aria-label":m.test_waiting(),}});}
      } else if (told.ok){
         { const $$_kcehCelcriC2C = __sveltets_2_ensureComponent(CircleCheck); new $$_kcehCelcriC2C({ target: __sveltets_2_any(), props: {    "size":16,"aria-label":m.test_passed(),}});}
      }else{
         { const $$_trelAelgnairT2C = __sveltets_2_ensureComponent(TriangleAlert); new $$_trelAelgnairT2C({ target: __sveltets_2_any(), props: {    "size":16,"aria-label":m.test_failed(),}});}
      }
       { svelteHTML.createElement("strong", {});stepName(step); }
       { svelteHTML.createElement("span", {});told === undefined ? m.test_running() : noteText(told); }
     }
  }
 }


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const TestSteps__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type TestSteps__SvelteComponent_ = ReturnType<typeof TestSteps__SvelteComponent_>;
/*Ωignore_endΩ*/export default TestSteps__SvelteComponent_;