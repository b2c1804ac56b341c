///<reference types="svelte" />
;
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type { PdfField } from '../../../shared/contract/templates.ts';
import Button from '../../components/Button.svelte';
import { m } from '../../language.svelte.ts';
import { editing } from './editing.ts';
import FormField from './FormField.svelte';

;type $$ComponentProps =  { content: DraftContent };function $$render() {

  
  
  
  
  
  

  let { content = $bindable() }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props()/*Ωignore_startΩ*/;content;/*Ωignore_endΩ*/;

  const { editor } = editing();
  const attachments = $derived(content.body.attachments ?? []);
  const forms = $derived(
    attachments.flatMap((attachment, index) => {
      const form = attachment.file === undefined ? undefined : editor.forms.get(attachment.file);
      return form === undefined ? [] : [{ attachment, index, fields: form.fields }];
    }),
  );

  function strayOf(
    values: readonly { readonly name: string }[] | undefined,
    fields: readonly PdfField[],
  ): readonly string[] {
    const known = new Set(fields.map(({ name }) => name));
    return (values ?? []).map(({ name }) => name).filter((name) => !known.has(name));
  }
;
async () => {

   for(let { attachment, index, fields } of __sveltets_2_ensureArray(forms)){attachment;
   { svelteHTML.createElement("div", { "class":`form`,});
     { svelteHTML.createElement("h3", {});m.draft_fields_of({ name: attachment.name ?? '', count: fields.length }); }
     { svelteHTML.createElement("div", { "class":`fields`,});
         for(let field of __sveltets_2_ensureArray(fields)){field.name;
         { const $$_dleiFmroF2C = __sveltets_2_ensureComponent(FormField); const $$_dleiFmroF2 = new $$_dleiFmroF2C({ target: __sveltets_2_any(), props: {       field,"path":`attachments.${index}.fields`,values:__sveltets_2_get_set_binding(() => attachment.fields,(next) => {
              if (next === undefined) delete attachment.fields;
              else attachment.fields = next;
              editor.touch();
            }),}});$$_dleiFmroF2.$$bindings = 'values';}
      }
     }
       for(let name of __sveltets_2_ensureArray((strayOf(attachment.fields, fields)))){name;
       { svelteHTML.createElement("p", { "class":`stray`,});
        m.draft_field_unknown({ name });
         { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"data-field":`attachments.${index}.fields`,"onclick":() => {
            attachment.fields = attachment.fields?.filter((value) => value.name !== name) ?? [];
            editor.touch();
          },}});
          m.draft_field_remove({ name });
         Button}
       }
    }
   }
}
   { svelteHTML.createElement("p", { "class":`none`,});m.draft_fields_none(); }



};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings('content'), slots: {}, events: {} }}
const FormFields__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type FormFields__SvelteComponent_ = ReturnType<typeof FormFields__SvelteComponent_>;
/*Ωignore_endΩ*/export default FormFields__SvelteComponent_;