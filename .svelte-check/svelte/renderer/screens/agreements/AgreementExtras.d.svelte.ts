export { default } from "./++AgreementExtras.svelte.ts";
export * from "./++AgreementExtras.svelte.ts";
