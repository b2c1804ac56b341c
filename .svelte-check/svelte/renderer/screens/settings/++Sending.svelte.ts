///<reference types="svelte" />
;
import RadioRow from '../../components/RadioRow.svelte';
import { m } from '../../language.svelte.ts';
import { settings } from '../../state/settings.svelte.ts';
function $$render() {

  
  
  

  const holds = $derived(
    ([0, 5, 10, 30] as const).map((value) => ({
      value,
      label: value === 0 ? m.settings_hold_none() : m.settings_hold_seconds({ seconds: value }),
    })),
  );
;
async () => {

if(settings.stored.value){
   { const $$_woRoidaR0C = __sveltets_2_ensureComponent(RadioRow); new $$_woRoidaR0C({ target: __sveltets_2_any(), props: {           "label":m.settings_hold(),"hint":m.settings_hold_hint(),"items":holds,"value":settings.stored.value.holdSeconds,"onchoose":(holdSeconds) => void settings.write({ holdSeconds }),}});}
}
};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Sending__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Sending__SvelteComponent_ = ReturnType<typeof Sending__SvelteComponent_>;
/*Ωignore_endΩ*/export default Sending__SvelteComponent_;