///<reference types="svelte" />
;
import { onMount, tick, untrack } from 'svelte';
import { tinykeys } from 'tinykeys';
import { m } from '../language.svelte.ts';
import { screens } from '../screens/index.ts';
import { agreements } from '../state/agreements.svelte.ts';
import { connections } from '../state/connections.svelte.ts';
import { jobs } from '../state/jobs.svelte.ts';
import { outbox } from '../state/outbox.svelte.ts';
import { railCounts } from '../state/rail-counts.svelte.ts';
import { router } from '../state/router.svelte.ts';
import { shortcuts } from '../state/shortcuts.svelte.ts';
import { sync } from '../state/sync.svelte.ts';
import ActivityBar from './ActivityBar.svelte';
import { globalCommands } from './commands.ts';
import EnvironmentStrip from './EnvironmentStrip.svelte';
import { bindingsOf } from './key-bindings.ts';
import Palette from './Palette.svelte';
import { focusScreenTitle } from './panes.ts';
import Rail from './Rail.svelte';
import ShortcutSheet from './ShortcutSheet.svelte';
function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  

  /** Milliseconds: the first screen is drawn and answers by then. */
  const OTHERS_AFTER = 1000;

  const screen = $derived(screens.find(({ name }) => name === router.screen));

  onMount(() => {
    for (const stored of [jobs.list, outbox.list, railCounts.drafts, connections.capabilities]) {
      void stored.refresh();
    }
    const stops = [shortcuts.offer(globalCommands)];
    void sync.check();
    const others = setTimeout(() => screens.forEach(({ load }) => void load()), OTHERS_AFTER);
    return () => {
      clearTimeout(others);
      stops.forEach((stop) => stop());
    };
  });

  // The list belongs to the connection the window works with.
  $effect(() => {
    void connections.scope;
    untrack(() => {
      void agreements.refresh();
      void sync.statuses.refresh();
    });
  });

  $effect(() => tinykeys(window, bindingsOf(shortcuts.commands), { ignore: () => false }));

  let before = router.screen;
  $effect(() => {
    if (router.screen === before) return;
    before = router.screen;
    void screen?.load().then(tick).then(focusScreenTitle);
  });
;
async () => {

 { svelteHTML.createElement("svelte:head", {}); { svelteHTML.createElement("title", {});screen?.title();  m.app_name(); } }

 { svelteHTML.createElement("div", { "class":`shell`,});
   { const $$_pirtStnemnorivnE1C = __sveltets_2_ensureComponent(EnvironmentStrip); new $$_pirtStnemnorivnE1C({ target: __sveltets_2_any(), props: {}});}
   { svelteHTML.createElement("div", { "class":`body`,});
     { const $$_liaR2C = __sveltets_2_ensureComponent(Rail); new $$_liaR2C({ target: __sveltets_2_any(), props: {}});}
     { svelteHTML.createElement("main", { ...__sveltets_2_empty({"data-pane":true}),"tabindex":-1,});
         { const $$_value = await (screen?.load());{ const loaded = $$_value; 
        if(loaded){ { const $$_tluafed_dedaol3C = __sveltets_2_ensureComponent(loaded.default); new $$_tluafed_dedaol3C({ target: __sveltets_2_any(), props: {}});}}
      }}
     }
   }
   { const $$_raBytivitcA1C = __sveltets_2_ensureComponent(ActivityBar); new $$_raBytivitcA1C({ target: __sveltets_2_any(), props: {}});}
 }
 { const $$_ettelaP0C = __sveltets_2_ensureComponent(Palette); new $$_ettelaP0C({ target: __sveltets_2_any(), props: {}});}
 { const $$_teehStuctrohS0C = __sveltets_2_ensureComponent(ShortcutSheet); new $$_teehStuctrohS0C({ target: __sveltets_2_any(), props: {}});}


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Shell__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Shell__SvelteComponent_ = ReturnType<typeof Shell__SvelteComponent_>;
/*Ωignore_endΩ*/export default Shell__SvelteComponent_;