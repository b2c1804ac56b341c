///<reference types="svelte" />
;;
  interface Props {
    /** Name and value; the same name may come twice. */
    rows: readonly { readonly name: string; readonly value: string }[];
    mono?: boolean;
  };function $$render() {



  const { rows, mono = false }: Props = $props();
;
async () => {

 { svelteHTML.createElement("dl", { "class":{ mono },});
      for(let row of __sveltets_2_ensureArray(rows)){let position = 1;position;
     { svelteHTML.createElement("dt", {});row.name; }
     { svelteHTML.createElement("dd", {});row.value; }
  }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Facts__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Facts__SvelteComponent_ = ReturnType<typeof Facts__SvelteComponent_>;
/*Ωignore_endΩ*/export default Facts__SvelteComponent_;