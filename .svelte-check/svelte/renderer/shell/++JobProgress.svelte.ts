///<reference types="svelte" />
;
import type { Job, JobKind } from '../../shared/contract/jobs.ts';
import Button from '../components/Button.svelte';
import { formatCount } from '../format.ts';
import { m } from '../language.svelte.ts';
import { jobs } from '../state/jobs.svelte.ts';

;type $$ComponentProps =  { job: Job };function $$render() {

  
  
  
  
  

  const { job }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const names = {
    'sync-agreements': m.activity_job_sync,
    'sign-agreements': m.activity_job_sign,
    'archive-agreements': m.activity_job_archive,
    'revoke-agreements': m.activity_job_revoke,
    'remove-agreements': m.activity_job_remove,
    'remind-parties': m.activity_job_remind,
  } as const satisfies Record<JobKind, () => string>;
;
async () => {

 { svelteHTML.createElement("span", { "class":`job`,});
  names[job.kind]();
  if(job.total === null){
     { svelteHTML.createElement("progress", { "aria-label":names[job.kind](),}); }
  }else{
     { svelteHTML.createElement("progress", {      "aria-label":names[job.kind](),"value":job.done,"max":Math.max(1, job.total),}); }
    m.activity_progress({ done: formatCount(job.done), total: formatCount(job.total) });
  }
 }
 { const $$_nottuB0C = __sveltets_2_ensureComponent(Button); new $$_nottuB0C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"kind":`quiet`,"onclick":() => void jobs.stop(job.id),"data-testid":`activity.stop`,}});
  m.activity_stop();
 Button}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const JobProgress__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type JobProgress__SvelteComponent_ = ReturnType<typeof JobProgress__SvelteComponent_>;
/*Ωignore_endΩ*/export default JobProgress__SvelteComponent_;