import * as z from 'zod';

/** JSON Schema (2020-12) of a schema's input, for files that other programs read. */
export function jsonSchemaOf(schema: z.ZodType, title: string): string {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return `${JSON.stringify({ title, ...described }, null, 2)}\n`;
}
