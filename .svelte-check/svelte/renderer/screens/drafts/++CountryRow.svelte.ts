///<reference types="svelte" />
;
import { countryCodes } from '../../../shared/rules/countries.ts';
import { m, currentLanguage } from '../../language.svelte.ts';
import ChoiceRow from './ChoiceRow.svelte';
;

  interface Props {
    label: string;
    path: string;
    value: string | undefined;
    onchoose: (country: string) => void;
  };function $$render() {

  
  
  


  const { label, path, value = '', onchoose }: Props = $props();

  /** API v1, "Signing configuration": the countries it shows, and ours come first. */
  const FIRST = ['SE', 'NO', 'FI', 'DK'];

  const items = $derived.by(() => {
    const language = currentLanguage();
    const names = new Intl.DisplayNames(language, { type: 'region' });
    const order = new Intl.Collator(language);
    const named = countryCodes.map((code) => ({ value: code, label: names.of(code) ?? code }));
    const rest = named.filter((item) => !FIRST.includes(item.value));
    rest.sort((a, b) => order.compare(a.label, b.label));
    const first = FIRST.flatMap((code) => named.filter((item) => item.value === code));
    const foreign = [...first, ...rest].some((item) => item.value === value) ? [] : [value];
    return [
      { value: '', label: m.draft_country_none() },
      ...first,
      ...rest,
      ...foreign.filter((code) => code !== '').map((code) => ({ value: code, label: code })),
    ];
  });
;
async () => {

 { const $$_woReciohC0C = __sveltets_2_ensureComponent(ChoiceRow); new $$_woReciohC0C({ target: __sveltets_2_any(), props: {     label,path,value,items,onchoose,}});}
};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const CountryRow__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type CountryRow__SvelteComponent_ = ReturnType<typeof CountryRow__SvelteComponent_>;
/*Ωignore_endΩ*/export default CountryRow__SvelteComponent_;