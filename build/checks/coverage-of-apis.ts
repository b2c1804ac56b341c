import * as v1 from '../../electron/adapters/rest/v1/table.ts';
import * as v2 from '../../electron/adapters/rest/v2/table.ts';
import { CreateBodyV1 } from '../../shared/model/agreement-v1.ts';
import { CreateBodyV2 } from '../../shared/model/agreement-v2.ts';
import { fieldsOf } from '../../test/conformance/model-fields.ts';
import { root } from '../places.ts';
import { findCovered } from './traps.ts';

/**
 * How much of both APIs the tests cover: the conformance tests fail unless every endpoint and every
 * field has its cases, so here these are counted only. For a trap, the title of a test is the proof.
 */
export async function coverageLine(at: string): Promise<string> {
  const endpoints = [v1, v2].map(countEndpoints);
  const fields = [CreateBodyV1, CreateBodyV2].map((body) => fieldsOf(body).length);
  const traps = new Set((await findCovered(at)).map(({ trap }) => trap)).size;
  const both = ([ofV1 = 0, ofV2 = 0]: readonly number[]) => `${ofV1} + ${ofV2}`;
  return `covered: ${both(endpoints)} endpoints, ${both(fields)} fields of v1 + v2, ${traps} traps`;
}

/** Endpoints as the APIs count them: the same one read as XML is no other. */
function countEndpoints(table: object): number {
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
