import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { constants, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import * as z from 'zod';

const STORES_FOLDER = 'electron/adapters/sqlite';
const MIGRATIONS_FILE = `${STORES_FOLDER}/migrations/index.ts`;
/** Parts of a statement whose columns are written, not read. */
const WRITTEN_COLUMNS_PATTERN = /\bINTO\s+\w+\s*\([^)]*\)|\b\w+\s*=\s*@\w+\s*(?=,|\bWHERE\b)/g;
const GENERATED_COLUMN_PATTERN = /GENERATED ALWAYS AS\s*\(([\s\S]*?)\)\s*STORED/g;

const MigrationModule = z.object({ migrations: z.array(z.object({ sql: z.string() })) });
/**
 * Result of `COLUMNS_QUERY`: every column of our tables, except columns that a key or a reference depends
 * on.
 */
const ColumnRows = z.array(z.object({ table: z.string(), name: z.string(), sql: z.string() }));
const COLUMNS_QUERY = `
  SELECT t.name AS "table", c.name AS name, t.sql AS sql
  FROM sqlite_schema AS t JOIN pragma_table_list AS l USING (name), pragma_table_xinfo(t.name) AS c
  WHERE l.type = 'table' AND l.schema = 'main' AND t.name <> 'sqlite_sequence' AND c.pk = 0
    AND c.name NOT IN (SELECT "from" FROM pragma_foreign_key_list(t.name))
    AND c.name NOT IN (
      SELECT i.name FROM pragma_index_list(t.name) AS x, pragma_index_info(x.name) AS i
      WHERE x."unique" = 1)
  ORDER BY 1, 2`;

/**
 * Returns every column of the newest schema under `root` that no statement of a store reads. SQLite
 * reports the columns that a statement reads; a statement built from parts counts as reading each
 * column it names.
 */
export async function deadColumns(
  root: string,
): Promise<{ readonly name: string; readonly why: string }[]> {
  using database = await schemaOf(root);
  if (database === undefined) return [];
  const columns = ColumnRows.parse(database.prepare(COLUMNS_QUERY).all());
  const read = new Set<string>();
  const parts: string[] = [];
  database.setAuthorizer((action, table, column) => {
    if (action === constants.SQLITE_READ) read.add(`${String(table)}.${String(column)}`);
    return constants.SQLITE_OK;
  });
  for (const text of await textsOfStores(root)) {
    if (!isCompleteStatement(database, text))
      parts.push(text.replaceAll(WRITTEN_COLUMNS_PATTERN, ''));
  }
  const words = new Set(parts.join('\n').match(/\w+/g));
  return columns
    .filter(({ table, name, sql }) => {
      const made = [...sql.matchAll(GENERATED_COLUMN_PATTERN)]
        .map(([, expression]) => expression)
        .join('\n');
      return (
        !read.has(`${table}.${name}`) && !words.has(name) && !made.match(/\w+/g)?.includes(name)
      );
    })
    .map(({ table, name }) => ({
      name: `column ${table}.${name}`,
      why: `(${MIGRATIONS_FILE}): no statement reads it`,
    }));
}

async function schemaOf(root: string): Promise<DatabaseSync | undefined> {
  const file = path.join(root, MIGRATIONS_FILE);
  const isThere = await readFile(file).then(
    () => true,
    () => false,
  );
  if (!isThere) return undefined;
  const { migrations } = MigrationModule.parse(await import(pathToFileURL(file).href));
  const database = new DatabaseSync(':memory:');
  for (const { sql } of migrations) database.exec(sql);
  return database;
}

/**
 * Whether the text is a complete statement. The function prepares the statement, which reports the
 * columns that it reads to the authorizer.
 */
function isCompleteStatement(database: DatabaseSync, text: string): boolean {
  if (!/^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|REPLACE)\b/.test(text)) return false;
  try {
    database.prepare(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns every text in the stores. In a template text, `?` replaces each value, and the rest is
 * kept because it names columns.
 */
async function textsOfStores(root: string): Promise<string[]> {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node)) {
      texts.push(
        [node.head, ...node.templateSpans.map(({ literal }) => literal)]
          .map(({ text }) => text)
          .join(' ? '),
      );
    }
    node.forEachChild(visit);
  };
  for await (const file of glob(`${STORES_FOLDER}/**/*.ts`, { cwd: root })) {
    if (file.includes('migrations')) continue;
    const text = await readFile(path.join(root, file), 'utf8');
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  }
  return texts;
}
