import type { ApiTry, TestNote, TestStep } from '../../../shared/contract/connections.ts';
import { AppError } from '../../../shared/errors.ts';
import { apiAddresses, type ApiAddress } from '../../../shared/rules/identifiers/api-addresses.ts';
import type { AgreementService, OpenService } from '../ports.ts';

// The list of agreements, which the test reads, needs no user of API v2.
const noUser = { accountId: null, orgNo: null, environment: 'production' } as const;

/** Notes about the host, which are the same for both APIs. */
const HOST_NOTES: ReadonlySet<TestNote> = new Set(['not-reached', 'tls-failed']);

/**
 * Tests a key with each API, the likelier one first, until one accepts the key or the host cannot
 * be reached. The key is sent only to the host of `address`. Throws 'invalid' for an unusable
 * address or key.
 */
export async function detectApi(
  openService: OpenService,
  address: string,
  secret: string,
): Promise<ApiTry[]> {
  const tries: ApiTry[] = [];
  for (const { at, service } of openEach(openService, apiAddresses(address), secret)) {
    const steps: TestStep[] = [];
    for await (const step of service.test(new AbortController().signal)) steps.push(step);
    const isAccepted = isPassed(steps, 'credential') && isPassed(steps, 'list');
    tries.push({ ...at, isAccepted, steps });
    if (isAccepted || steps.some(({ note }) => HOST_NOTES.has(note))) break;
  }
  return tries;
}

/**
 * Opens the service of each API whose address is valid. Throws the first failure if no address is
 * valid.
 */
function openEach(openService: OpenService, addresses: readonly ApiAddress[], secret: string) {
  const opened: { readonly at: ApiAddress; readonly service: AgreementService }[] = [];
  let failure: AppError | null = null;
  for (const at of addresses) {
    try {
      opened.push({ at, service: openService({ ...at, ...noUser }, secret) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failure ??= error;
    }
  }
  if (opened.length === 0 && failure !== null) throw failure;
  return opened;
}

const isPassed = (steps: readonly TestStep[], name: TestStep['step']): boolean =>
  steps.some(({ step, ok }) => step === name && ok);
