///<reference types="svelte" />
;function $$render<Value extends string>() {

  interface Props {
    /** What is chosen between, for people who cannot see it. */
    label: string;
    items: readonly { readonly value: Value; readonly label: string; readonly count?: number }[];
    value: Value;
    onchoose: (value: Value) => void;
  }

  const { label, items, value, onchoose }: Props = $props();
;
async () => {

 { svelteHTML.createElement("div", {     "class":`chips`,"role":`group`,"aria-label":label,});
     for(let item of __sveltets_2_ensureArray(items)){item.value;
     { svelteHTML.createElement("button", {         "type":`button`,"class":`chip`,"aria-pressed":item.value === value,"onclick":() => onchoose(item.value),});
      item.label;
      if(item.count !== undefined){ { svelteHTML.createElement("span", { "class":`count`,});item.count; }}
     }
  }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
class __sveltets_Render<Value extends string> {
    props(): ReturnType<typeof $$render<Value>>['props'] { return null as any; }
    events(): ReturnType<typeof $$render<Value>>['events'] { return null as any; }
    slots(): ReturnType<typeof $$render<Value>>['slots'] { return null as any; }
    bindings() { return __sveltets_$$bindings(''); }
    exports() { return {}; }
}

interface $$IsomorphicComponent {
    new <Value extends string>(options: import('svelte').ComponentConstructorOptions<ReturnType<__sveltets_Render<Value>['props']>>): import('svelte').SvelteComponent<ReturnType<__sveltets_Render<Value>['props']>, ReturnType<__sveltets_Render<Value>['events']>, ReturnType<__sveltets_Render<Value>['slots']>> & { $$bindings?: ReturnType<__sveltets_Render<Value>['bindings']> } & ReturnType<__sveltets_Render<Value>['exports']>;
    <Value extends string>(internal: unknown, props: ReturnType<__sveltets_Render<Value>['props']> & {}): ReturnType<__sveltets_Render<Value>['exports']>;
    z_$$bindings?: ReturnType<__sveltets_Render<any>['bindings']>;
}
const Chips__SvelteComponent_: $$IsomorphicComponent = null as any;
/*Ωignore_startΩ*/type Chips__SvelteComponent_<Value extends string> = InstanceType<typeof Chips__SvelteComponent_<Value>>;
/*Ωignore_endΩ*/export default Chips__SvelteComponent_;