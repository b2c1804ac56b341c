import type { Environment } from '../../../shared/contract/connections.ts';
import type { ApiName } from '../../../shared/model/ids.ts';
import { m } from '../../ui/language.svelte.ts';

const apiNames = { v1: m.api_v1, v2: m.api_v2 } as const satisfies Record<ApiName, () => string>;

const environmentNames = {
  production: m.environment_production,
  test: m.environment_test,
  demo: m.environment_demo,
} as const satisfies Record<Environment, () => string>;

export const apiName = (api: ApiName): string => apiNames[api]();

export const environmentName = (environment: Environment): string =>
  environmentNames[environment]();
