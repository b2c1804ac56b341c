///<reference types="svelte" />
;
import Search from '@lucide/svelte/icons/search';
;

  interface Props {
    label: string;
    placeholder: string;
    /** Shown at the end, `Ctrl F`. */
    keys?: string;
    value: string;
    oninput: (text: string) => void;
    /** From here the list is one key away. */
    ondown?: () => void;
  };function $$render() {

  


  const { label, placeholder, keys, value, oninput, ondown }: Props = $props();

  function press(event: KeyboardEvent): void {
    if (event.key === 'Escape' && value !== '') oninput('');
    else if (event.key === 'ArrowDown' || event.key === 'Enter') ondown?.();
    else return;
    event.preventDefault();
  }
;
async () => {

 { svelteHTML.createElement("div", { "class":`search`,});
   { const $$_hcraeS1C = __sveltets_2_ensureComponent(Search); new $$_hcraeS1C({ target: __sveltets_2_any(), props: {    "size":16,"aria-hidden":`true`,}});}
   { svelteHTML.createElement("input", {              "type":`search`,...__sveltets_2_empty({"data-search":true}),"aria-label":label,placeholder,value,"maxlength":200,"oninput":(event) => oninput(event.currentTarget.value),"onkeydown":press,});}
  if(keys){ { svelteHTML.createElement("kbd", { "aria-hidden":`true`,});keys; }}
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const SearchField__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type SearchField__SvelteComponent_ = ReturnType<typeof SearchField__SvelteComponent_>;
/*Ωignore_endΩ*/export default SearchField__SvelteComponent_;