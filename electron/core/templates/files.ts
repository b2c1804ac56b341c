import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { Template } from '../../../shared/contract/templates.ts';
import { AppError } from '../../../shared/errors.ts';
import {
  readTemplateFile,
  type TemplateFile,
  writeTemplateFile,
} from '../../../shared/model/template-file.ts';
import { placeOfControlCharacters } from '../../../shared/rules/text/strange-text.ts';
import { addTemplate, describePdf, type TemplateLibraryPorts } from './library.ts';

const TEMPLATE_EXTENSION = '.signtemplate';
/** Characters that at least one system does not allow in file names. */
const UNSAFE = /[\u0000-\u001f<>:"/\\|?*]/g;

type FileHandlers = Pick<HandlersOf<'templates'>, 'templates.export' | 'templates.import'>;

export function createTemplateFileHandlers(ports: TemplateLibraryPorts): FileHandlers {
  const { templates } = ports.stores;
  return {
    'templates.export': async ({ id }) => {
      const template = templates.get(id);
      const data = writeTemplateFile(fileOf(template, ports));
      const fileName = `${template.name.replaceAll(UNSAFE, '_')}${TEMPLATE_EXTENSION}`;
      return { out: ports.bytes.put(data), fileName };
    },
    'templates.import': async ({ bytes }) => {
      const file = readTemplateFile(ports.bytes.take(bytes));
      if (file === null) throw new AppError('invalid', 'This is not a template file');
      assertNoControlCharacters(file);
      const template = addTemplate(await newTemplateFrom(file, ports), ports);
      ports.emit('templates.changed', { id: template.id });
      return template;
    },
  };
}

function fileOf(
  { id, name, content, source }: Template,
  ports: TemplateLibraryPorts,
): TemplateFile {
  if (source.kind === 'service') {
    const { templateId, fields, learntFrom } = source;
    const service = { templateId, fields, learntFrom };
    return { name, content, fileName: null, service, pdf: null };
  }
  const pdf = ports.stores.templates.pdf(id);
  return { name, content, fileName: source.fileName, service: null, pdf };
}

/**
 * Throws if a text of a template file contains hidden characters, as for a draft file: the creator
 * of the file is unknown.
 */
function assertNoControlCharacters({ name, fileName, content }: TemplateFile): void {
  const { body, questions, mapping } = content;
  const sources = mapping.map(({ source }) => source);
  const place = placeOfControlCharacters({ name, fileName, body, questions, sources });
  if (place === null) return;
  throw new AppError('invalid', `The text at ${place} has invisible characters`);
}

/**
 * Creates a template from a file. Reads the PDF again, because the file's data about it is not
 * trusted.
 */
async function newTemplateFrom(file: TemplateFile, ports: TemplateLibraryPorts) {
  const { name, content, pdf, fileName, service } = file;
  const { api } = content.body;
  if (pdf !== null && fileName !== null) {
    const source = await describePdf(pdf, fileName, ports);
    return { name, api, source, data: pdf, content };
  }
  if (service === null) throw new AppError('invalid', 'The template file has no document');
  return { name, api, source: { kind: 'service' as const, ...service }, data: null, content };
}
