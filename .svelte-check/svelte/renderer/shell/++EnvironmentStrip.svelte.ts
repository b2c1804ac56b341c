///<reference types="svelte" />
;
import { m } from '../language.svelte.ts';
import { access } from '../state/access.svelte.ts';
import { connections } from '../state/connections.svelte.ts';
function $$render() {

  
  
  

  /** Of everything whose agreements can be seen now. */
  const environments = $derived(
    (connections.current === null ? connections.all : [connections.current]).map(
      (connection) => connection.environment,
    ),
  );
  const strip = $derived.by(() => {
    if (access.state.value?.profile === 'demo') return { kind: 'demo', words: m.strip_demo() };
    if (environments.every((environment) => environment === 'production')) return null;
    if (environments.every((environment) => environment === 'demo')) {
      return { kind: 'demo', words: m.strip_demo() };
    }
    if (environments.every((environment) => environment === 'test')) {
      return { kind: 'test', words: m.strip_test() };
    }
    return { kind: 'test', words: m.strip_mixed() };
  });
;
async () => {

if(strip){ { svelteHTML.createElement("p", {   "class":['strip', strip.kind],...__sveltets_2_empty({"data-testid":`shell.strip`}),});strip.words; }}


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const EnvironmentStrip__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type EnvironmentStrip__SvelteComponent_ = ReturnType<typeof EnvironmentStrip__SvelteComponent_>;
/*Ωignore_endΩ*/export default EnvironmentStrip__SvelteComponent_;