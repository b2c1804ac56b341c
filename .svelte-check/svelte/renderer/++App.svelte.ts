///<reference types="svelte" />
;
import { onMount, untrack } from 'svelte';
import FailureBar from './components/FailureBar.svelte';
import { m, speak } from './language.svelte.ts';
import Onboarding from './screens/Onboarding.svelte';
import Unlock from './screens/Unlock.svelte';
import Shell from './shell/Shell.svelte';
import { access } from './state/access.svelte.ts';
import { connections } from './state/connections.svelte.ts';
import { host } from './state/host.svelte.ts';
import { onboarding } from './state/onboarding.svelte.ts';
import { settings } from './state/settings.svelte.ts';
function $$render() {

  
  
  
  
  
  
  
  
  
  
  

  const isOpen = $derived(access.state.value?.open ?? false);
  const failure = $derived(
    access.state.failure ?? settings.stored.failure ?? connections.list.failure,
  );

  async function start(): Promise<void> {
    await host.refresh();
    speak(null, host.value?.locale ?? navigator.language);
    await access.state.refresh();
  }

  onMount(() => void start());

  // Settings and connections lie in the data, which may open at any time.
  $effect(() => {
    if (!isOpen) return;
    untrack(() => {
      void settings.stored.refresh();
      void connections.list.refresh();
    });
  });
;
async () => {

if(access.state.value !== null && !isOpen){
   { const $$_kcolnU0C = __sveltets_2_ensureComponent(Unlock); new $$_kcolnU0C({ target: __sveltets_2_any(), props: {}});}
} else if (connections.list.value !== null && settings.stored.value !== null){
  if(connections.all.length === 0 || onboarding.isUnfinished){
     { const $$_gnidraobnO0C = __sveltets_2_ensureComponent(Onboarding); new $$_gnidraobnO0C({ target: __sveltets_2_any(), props: {}});}
  }else{
     { const $$_llehS0C = __sveltets_2_ensureComponent(Shell); new $$_llehS0C({ target: __sveltets_2_any(), props: {}});}
  }
} else if (failure !== null){
   { svelteHTML.createElement("main", {}); { const $$_raBeruliaF1C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF1C({ target: __sveltets_2_any(), props: {   failure,"onretry":() => void start(),}});} }
}else{
   { svelteHTML.createElement("main", { "aria-busy":`true`,}); { svelteHTML.createElement("p", { "class":`visually-hidden`,});m.shell_loading(); } }
}
 { svelteHTML.createElement("section", {   "id":`overlays`,"aria-label":m.overlays_label(),}); }


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const App__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type App__SvelteComponent_ = ReturnType<typeof App__SvelteComponent_>;
/*Ωignore_endΩ*/export default App__SvelteComponent_;