export { default } from "./++AgreementTechnical.svelte.ts";
export * from "./++AgreementTechnical.svelte.ts";
