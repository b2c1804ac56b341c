///<reference types="svelte" />
;
import { m } from '../language.svelte.ts';
import { host } from '../state/host.svelte.ts';
import { shortcuts } from '../state/shortcuts.svelte.ts';
import { keyNames } from './key-names.ts';
function $$render() {

  
  
  
  

  const platform = $derived(host.value?.platform ?? 'linux');

  const groups = $derived([
    ...(
      [
        { name: 'list', title: m.palette_list },
        { name: 'go', title: m.palette_go },
        { name: 'do', title: m.palette_do },
      ] as const
    ).map(({ name, title }) => ({
      title: title(),
      rows: shortcuts.commands
        .filter((command) => command.group === name && command.keys.length > 0)
        .map(({ title: words, keys }) => ({ words: words(), keys })),
    })),
    {
      title: m.sheet_lists(),
      rows: [
        { words: m.sheet_list_move(), keys: ['↑', '↓', 'j', 'k'] },
        { words: m.sheet_list_open(), keys: ['Enter'] },
        { words: m.sheet_list_mark(), keys: ['Space'] },
        { words: m.sheet_list_back(), keys: ['Escape'] },
      ],
    },
  ]);
;
async () => {

   for(let group of __sveltets_2_ensureArray(groups.filter((group) => group.rows.length > 0))){group.title;
   { svelteHTML.createElement("section", {});
     { svelteHTML.createElement("h3", {});group.title; }
     { svelteHTML.createElement("dl", {});
         for(let row of __sveltets_2_ensureArray(group.rows)){row.words;
         { svelteHTML.createElement("div", {});
           { svelteHTML.createElement("dt", {});row.words; }
           { svelteHTML.createElement("dd", {});
               for(let key of __sveltets_2_ensureArray(row.keys)){key; { svelteHTML.createElement("kbd", {});keyNames(key, platform); }}
           }
         }
      }
     }
   }
}


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ShortcutTable__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ShortcutTable__SvelteComponent_ = ReturnType<typeof ShortcutTable__SvelteComponent_>;
/*Ωignore_endΩ*/export default ShortcutTable__SvelteComponent_;