export { default } from "./++AgreementActions.svelte.ts";
export * from "./++AgreementActions.svelte.ts";
