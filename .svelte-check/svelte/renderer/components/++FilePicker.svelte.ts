///<reference types="svelte" />
;
import Button from './Button.svelte';
;

  interface Props {
    label: string;
    /** Media types and endings the system's dialog shows first. */
    accept: string;
    keys?: string;
    kind?: 'plain' | 'primary';
    reason?: string | null;
    field?: string;
    testid: string;
    onfiles: (files: readonly File[]) => void;
  };function $$render() {

  


  const {
    label,
    accept,
    keys,
    kind = 'plain',
    reason = null,
    field,
    testid,
    onfiles,
  }: Props = $props();

  let input = $state<HTMLInputElement>();

  /** Opens the system's dialog, as the button does; must follow from a key or a click. */
   function choose(): void {
    input?.click();
  }
;
async () => {

 { const $$_nottuB0C = __sveltets_2_ensureComponent(Button); new $$_nottuB0C({ target: __sveltets_2_any(), props: {      children:() => { return __sveltets_2_any(0); },kind,reason,...keys === undefined ? {} : { keys },"data-field":field,"onclick":choose,}});
  label;
 Button}
 { const $$_input0 = svelteHTML.createElement("input", {           "type":`file`,accept,"multiple":true,"hidden":true,...__sveltets_2_empty({"data-testid":testid}),"onchange":() => {
    onfiles([...(input?.files ?? [])]);
    // The same file may be chosen again after it was removed.
    if (input) input.value = '';
  },});input = $$_input0;}
};
return { props: {} as any as Props, exports: {} as any as { choose: typeof choose }, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const FilePicker__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type FilePicker__SvelteComponent_ = ReturnType<typeof FilePicker__SvelteComponent_>;
/*Ωignore_endΩ*/export default FilePicker__SvelteComponent_;