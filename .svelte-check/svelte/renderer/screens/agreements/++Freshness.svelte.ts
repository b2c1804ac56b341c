///<reference types="svelte" />
;
import RefreshCw from '@lucide/svelte/icons/refresh-cw';
import WifiOff from '@lucide/svelte/icons/wifi-off';
import { formatCount, formatDateTime, formatTime } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { clock } from '../../state/clock.svelte.ts';
import { sync } from '../../state/sync.svelte.ts';
function $$render() {

  
  
  
  
  
  

  const failure = $derived(sync.failing?.failure ?? sync.failure);
  const time = $derived(sync.checkedAt === null ? null : timeOf(sync.checkedAt));

  function timeOf(instant: number): string {
    const isToday = new Date(instant).toDateString() === new Date(clock.now).toDateString();
    return isToday ? formatTime(instant) : formatDateTime(instant);
  }

  const words = $derived.by(() => {
    const running = sync.inScope.find((status) => status.running);
    if (running !== undefined) {
      if (running.total === null) return m.sync_checking();
      return m.sync_reading({ done: formatCount(running.done), total: formatCount(running.total) });
    }
    if (failure !== null) {
      if (failure.code === 'signed-out') return m.sync_refused();
      if (failure.code !== 'offline') return m.sync_failed();
      return time === null ? m.sync_offline_never() : m.sync_offline({ time });
    }
    if (time === null) return m.sync_never();
    return sync.changed > 0 ? m.sync_new({ time, count: sync.changed }) : m.sync_fresh({ time });
  });
;
async () => {

  { svelteHTML.createElement("button", {        "type":`button`,"title":m.sync_check_now(),"onclick":() => void sync.checkNow(),...__sveltets_2_empty({"data-testid":`agreements.freshness`}),});
  if(failure?.code === 'offline'){
     { const $$_ffOifiW1C = __sveltets_2_ensureComponent(WifiOff); new $$_ffOifiW1C({ target: __sveltets_2_any(), props: {    "size":14,"aria-hidden":`true`,}});}
  }else{
     { const $$_wChserfeR1C = __sveltets_2_ensureComponent(RefreshCw); new $$_wChserfeR1C({ target: __sveltets_2_any(), props: {    "size":14,"aria-hidden":`true`,}});}
  }
  words;
 }


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Freshness__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Freshness__SvelteComponent_ = ReturnType<typeof Freshness__SvelteComponent_>;
/*Ωignore_endΩ*/export default Freshness__SvelteComponent_;