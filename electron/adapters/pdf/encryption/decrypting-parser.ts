import {
  PDFArray,
  PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
  PDFWriter,
} from 'pdf-lib';
import { keepCurrentObjects } from '../current-objects.ts';
import { LengthParser } from '../length-parser.ts';
import { openSecurity, type OpenedSecurity } from './standard-security.ts';

const TYPE = PDFName.of('Type');
const REFERENCES = PDFName.of('XRef');
const METADATA = PDFName.of('Metadata');
const FILTER = PDFName.of('Filter');
const PARAMETERS = PDFName.of('DecodeParms');
const NAME = PDFName.of('Name');
const OWN_CRYPT = PDFName.of('Crypt');
const IDENTITY = PDFName.of('Identity');
const ESCAPE_BY_CHARACTER: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['(', '\\('],
  [')', '\\)'],
  ['\r', '\\r'],
]);

interface DecryptedPdf {
  readonly data: Uint8Array;
  readonly canFill: boolean;
  readonly canChange: boolean;
}

/**
 * Writes a PDF that opens with an empty user password without its encryption. Returns null if a
 * password is required. Throws what pdf-lib throws for a damaged file.
 */
export async function decryptPdf(data: Uint8Array): Promise<DecryptedPdf | null> {
  // In this document, object streams are still encrypted; the encryption dictionary is never in
  // one.
  const sealed = await new LengthParser(data, false).parseDocument();
  const dict = sealed.lookup(sealed.trailerInfo.Encrypt);
  const security = dict instanceof PDFDict ? openSecurity(dict, idOf(sealed)) : null;
  if (security === null) return null;
  const context = await new DecryptingParser(data, security).parseDocument();
  // Objects from these parsers are only written out again, so their context does not matter.
  keepCurrentObjects(context, data, (bytes, ref) =>
    new DecryptingParser(bytes, security).parseObject(ref),
  );
  const { Encrypt } = context.trailerInfo;
  if (Encrypt instanceof PDFRef) context.delete(Encrypt);
  delete context.trailerInfo.Encrypt;
  const { canFill, canChange } = security;
  const plain = await PDFWriter.forContext(context, Number.POSITIVE_INFINITY).serializeToBuffer();
  return { data: plain, canFill, canChange };
}

function idOf(context: PDFContext): Uint8Array {
  const ids = context.lookup(context.trailerInfo.ID);
  const id = ids instanceof PDFArray ? ids.lookup(0) : undefined;
  return id instanceof PDFString || id instanceof PDFHexString ? id.asBytes() : new Uint8Array();
}

/**
 * Parser that decrypts. pdf-lib decrypts too, but also cross-reference streams, which are never
 * encrypted (PDF 1.7, 7.5.8.2): it cannot read encrypted files with object streams. It also keeps
 * decrypted literal strings as if they were escaped, which changes backslashes and brackets in
 * them.
 */
class DecryptingParser extends LengthParser {
  readonly #security: OpenedSecurity;

  constructor(data: Uint8Array, security: OpenedSecurity) {
    super(data, true);
    this.#security = security;
  }

  protected override parseString(ref?: PDFRef): PDFString {
    const text = super.parseString();
    return ref === undefined ? text : literalOf(this.#decrypted(ref, text.asBytes()));
  }

  protected override parseHexString(ref?: PDFRef): PDFHexString {
    const text = super.parseHexString();
    if (ref === undefined) return text;
    return PDFHexString.of(Buffer.from(this.#decrypted(ref, text.asBytes())).toString('hex'));
  }

  protected override parseDictOrStream(ref?: PDFRef): PDFDict | PDFStream {
    const object = super.parseDictOrStream(ref);
    if (ref === undefined || !(object instanceof PDFRawStream)) return object;
    const { dict, contents } = object;
    if (!this.#isEncrypted(dict)) return object;
    const { objectNumber, generationNumber } = ref;
    const filter = takeCryptFilter(dict);
    const plain = this.#security.decryptStream(objectNumber, generationNumber, contents, filter);
    return PDFRawStream.of(dict, plain);
  }

  #decrypted({ objectNumber, generationNumber }: PDFRef, data: Uint8Array): Uint8Array {
    return this.#security.decryptString(objectNumber, generationNumber, data);
  }

  #isEncrypted(dict: PDFDict): boolean {
    const type = dict.get(TYPE);
    if (type === REFERENCES) return false;
    return type !== METADATA || this.#security.encryptsMetadata;
  }
}

/**
 * Removes the crypt filter that a stream names from its filters, and returns it (PDF 1.7, 7.4.10).
 */
function takeCryptFilter(dict: PDFDict): PDFName | undefined {
  const filter = dict.lookup(FILTER);
  const filters = filter instanceof PDFArray ? filter.asArray() : [filter];
  const at = filters.indexOf(OWN_CRYPT);
  if (at < 0) return undefined;
  const held = dict.lookup(PARAMETERS);
  const parameters = held instanceof PDFArray ? held.lookup(at) : held;
  const name = parameters instanceof PDFDict ? parameters.lookup(NAME) : undefined;
  for (const [key, value] of [
    [FILTER, filter],
    [PARAMETERS, held],
  ] as const) {
    if (value instanceof PDFArray) value.remove(at);
    else dict.delete(key);
  }
  return name instanceof PDFName ? name : IDENTITY;
}

function literalOf(data: Uint8Array): PDFString {
  const text = Buffer.from(data).toString('latin1');
  return PDFString.of(
    text.replaceAll(/[\\()\r]/g, (sign) => ESCAPE_BY_CHARACTER.get(sign) ?? sign),
  );
}
