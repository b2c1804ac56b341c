///<reference types="svelte" />
;
import { problemText } from '../../problem-text.ts';
import { editing } from './editing.ts';

;type $$ComponentProps =  { path: string; id?: string };function $$render() {

  
  

  /** For places that are no single field: a row, a list. */
  const { path, id }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const { editor } = editing();
  const problem = $derived(editor.problems.at(path));
;
async () => {

if(problem){ { svelteHTML.createElement("p", {  "class":problem.level,id,});problemText(problem); }}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ProblemNote__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ProblemNote__SvelteComponent_ = ReturnType<typeof ProblemNote__SvelteComponent_>;
/*Ωignore_endΩ*/export default ProblemNote__SvelteComponent_;