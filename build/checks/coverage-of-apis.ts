import * as v1 from '../../electron/adapters/rest/v1/table.ts';
import * as v2 from '../../electron/adapters/rest/v2/table.ts';
import { CreateBodyV1 } from '../../shared/model/agreement-v1.ts';
import { CreateBodyV2 } from '../../shared/model/agreement-v2.ts';
import { fieldsOf } from '../../test/conformance/model-fields.ts';
import { root } from '../places.ts';
import { findCovered } from './traps.ts';

/**
 * Returns one line about how much of both APIs the tests cover. The conformance tests fail unless
 * every endpoint and every field has its cases, so endpoints and fields are only counted. A trap
 * counts as covered if a test title contains its code.
 */
export async function coverageLine(at: string): Promise<string> {
  const endpoints = [v1, v2].map(countApiEndpoints);
  const fields = [CreateBodyV1, CreateBodyV2].map((body) => fieldsOf(body).length);
  const traps = new Set((await findCovered(at)).map(({ trap }) => trap)).size;
  const both = ([ofV1 = 0, ofV2 = 0]: readonly number[]) => `${ofV1} + ${ofV2}`;
  return `covered: ${both(endpoints)} endpoints, ${both(fields)} fields of v1 + v2, ${traps} traps`;
}

/** Counts endpoints as the APIs do: the XML variant of an endpoint is not counted. */
function countApiEndpoints(table: object): number {
  const rows: readonly unknown[] = Object.values(table);
  const places = rows.flatMap((row) =>
    isEndpoint(row) ? [`${row.method} ${row.path.replace(/\.xml$/, '')}`] : [],
  );
  return new Set(places).size;
}

function isEndpoint(row: unknown): row is { readonly method: string; readonly path: string } {
  return typeof row === 'object' && row !== null && 'method' in row && 'path' in row;
}

if (import.meta.main) console.log(await coverageLine(root));
