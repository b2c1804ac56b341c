///<reference types="svelte" />
;
import RadioRow from '../../components/RadioRow.svelte';
import { type Language, m } from '../../language.svelte.ts';
import { settings } from '../../state/settings.svelte.ts';
function $$render() {

  
  
  

  const stored = $derived(settings.stored.value);

  const themes = $derived([
    { value: 'system' as const, label: m.settings_theme_system() },
    { value: 'light' as const, label: m.settings_theme_light() },
    { value: 'dark' as const, label: m.settings_theme_dark() },
  ]);
  const densities = $derived([
    { value: 'compact' as const, label: m.settings_density_compact() },
    { value: 'cosy' as const, label: m.settings_density_cosy() },
    { value: 'relaxed' as const, label: m.settings_density_relaxed() },
  ]);
  const languages = $derived<{ value: Language | 'system'; label: string }[]>([
    { value: 'system', label: m.settings_language_system() },
    { value: 'en', label: m.settings_language_en() },
    { value: 'sv', label: m.settings_language_sv() },
  ]);
;
async () => {

if(stored){
   { const $$_woRoidaR0C = __sveltets_2_ensureComponent(RadioRow); new $$_woRoidaR0C({ target: __sveltets_2_any(), props: {         "label":m.settings_theme(),"items":themes,"value":stored.theme,"onchoose":(theme) => void settings.write({ theme }),}});}
   { const $$_woRoidaR0C = __sveltets_2_ensureComponent(RadioRow); new $$_woRoidaR0C({ target: __sveltets_2_any(), props: {         "label":m.settings_density(),"items":densities,"value":stored.density,"onchoose":(density) => void settings.write({ density }),}});}
   { const $$_woRoidaR0C = __sveltets_2_ensureComponent(RadioRow); new $$_woRoidaR0C({ target: __sveltets_2_any(), props: {         "label":m.settings_language(),"items":languages,"value":stored.language ?? 'system',"onchoose":(language) =>
      void settings.write({ language: language === 'system' ? null : language }),}});}
}
};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Appearance__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Appearance__SvelteComponent_ = ReturnType<typeof Appearance__SvelteComponent_>;
/*Ωignore_endΩ*/export default Appearance__SvelteComponent_;