export { default } from "./++Onboarding.svelte.ts";
export * from "./++Onboarding.svelte.ts";
