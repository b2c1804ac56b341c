///<reference types="svelte" />
;function $$render<Value extends string | number>() {

  interface Props {
    label: string;
    hint?: string;
    items: readonly { readonly value: Value; readonly label: string }[];
    value: Value;
    onchoose: (value: Value) => void;
  }

  const { label, hint, items, value, onchoose }: Props = $props();
  const name = $props.id();
;
async () => {

 { svelteHTML.createElement("fieldset", { "aria-describedby":hint ? `${name}-hint` : undefined,});
   { svelteHTML.createElement("legend", {});label; }
   { svelteHTML.createElement("div", { "class":`row`,});
       for(let item of __sveltets_2_ensureArray(items)){item.value;
       { svelteHTML.createElement("label", {});
         { svelteHTML.createElement("input", {        "type":`radio`,name,"checked":item.value === value,"onchange":() => onchoose(item.value),});}
        item.label;
       }
    }
   }
  if(hint){ { svelteHTML.createElement("p", { "id":`${name}-hint`,});hint; }}
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
class __sveltets_Render<Value extends string | number> {
    props(): ReturnType<typeof $$render<Value>>['props'] { return null as any; }
    events(): ReturnType<typeof $$render<Value>>['events'] { return null as any; }
    slots(): ReturnType<typeof $$render<Value>>['slots'] { return null as any; }
    bindings() { return __sveltets_$$bindings(''); }
    exports() { return {}; }
}

interface $$IsomorphicComponent {
    new <Value extends string | number>(options: import('svelte').ComponentConstructorOptions<ReturnType<__sveltets_Render<Value>['props']>>): import('svelte').SvelteComponent<ReturnType<__sveltets_Render<Value>['props']>, ReturnType<__sveltets_Render<Value>['events']>, ReturnType<__sveltets_Render<Value>['slots']>> & { $$bindings?: ReturnType<__sveltets_Render<Value>['bindings']> } & ReturnType<__sveltets_Render<Value>['exports']>;
    <Value extends string | number>(internal: unknown, props: ReturnType<__sveltets_Render<Value>['props']> & {}): ReturnType<__sveltets_Render<Value>['exports']>;
    z_$$bindings?: ReturnType<__sveltets_Render<any>['bindings']>;
}
const RadioRow__SvelteComponent_: $$IsomorphicComponent = null as any;
/*Ωignore_startΩ*/type RadioRow__SvelteComponent_<Value extends string | number> = InstanceType<typeof RadioRow__SvelteComponent_<Value>>;
/*Ωignore_endΩ*/export default RadioRow__SvelteComponent_;