export { default } from "./++AgreementList.svelte.ts";
export * from "./++AgreementList.svelte.ts";
