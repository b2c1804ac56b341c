import { describe, expect, it } from 'vitest';
import { readErrorBody } from '../../../../electron/adapters/rest/http/error-body.ts';
import { createRedact } from '../../../../electron/adapters/rest/http/redact.ts';

const JSON_TYPE = 'application/json';
const redact = createRedact(['s3cr3t-token']);
const read = (body: unknown, type = JSON_TYPE) =>
  readErrorBody(type, typeof body === 'string' ? body : JSON.stringify(body), redact);

describe('the error of a service', () => {
  it('is read in the form of JSON:API, with its fields (T1-06)', () => {
    const body = {
      errors: [
        {
          title: 'Invalid fields',
          detail: 'Must be an address',
          source: { pointer: '/data/parties/0/email' },
        },
        { title: 'Invalid fields', detail: 'Required', source: { pointer: '/title' } },
      ],
    };
    expect(read(body)).toEqual({
      from: 'api',
      message: 'Invalid fields',
      fields: { 'parties.0.email': 'Must be an address', title: 'Required' },
    });
  });

  it('is read in the form of v2, with its fields (T2-05)', () => {
    const body = {
      code: 'AGR-40010',
      message: 'Not usable.',
      developerMessage: 'x',
      fieldErrors: [{ field: 'parties.privates[0].email', message: 'Not well formed.' }],
    };
    expect(read(body)).toEqual({
      from: 'api',
      message: 'Not usable.',
      fields: { 'parties.privates.0.email': 'Not well formed.' },
    });
  });

  it('omits texts for developers if there are texts for users (T2-05)', () => {
    const developerMessage = 'NullPointerException at Agreement.java:40';
    const field = { code: 'AGR-40011', field: 'name', message: 'Too long.', developerMessage };
    const whole = { code: 'AGR-40010', message: 'Not usable.', developerMessage };
    const parsed = read({ ...whole, fieldErrors: [field] });
    expect(parsed).toMatchObject({ message: 'Not usable.', fields: { name: 'Too long.' } });
    expect(JSON.stringify(parsed)).not.toContain('NullPointer');
    const { message: _, ...unexplained } = whole;
    expect(read(unexplained)).toMatchObject({ message: developerMessage, fields: {} });
    expect(read({ code: 'AGR-40010' })).toMatchObject({ message: 'AGR-40010' });
  });

  it.each([
    [{ error: 'Broken' }, 'Broken'],
    [{ error: { message: 'Nested' } }, 'Nested'],
    [{ type: 'about:blank', title: 'Gone', detail: 'Was deleted', status: 410 }, 'Was deleted'],
    [{ timestamp: 1, status: 500, error: 'Internal', path: '/x' }, 'Internal'],
  ])('is read from the body %j (T1-06)', (body, message) => {
    expect(read(body)).toMatchObject({ from: 'api', message });
  });

  it.each([
    [{ errors: [] }, 'api'],
    [{ errors: [{ meta: { a: 1 } }, null, 'x'] }, 'api'],
    [{ error: { deep: { deeper: {} } } }, 'api'],
    [{ message: { en: 'x' } }, 'api'],
    [[1, 2], 'other'],
    ['"text"', 'other'],
    ['{"message": "cut', 'other'],
    ['', 'nobody'],
    ['  \n', 'nobody'],
  ])(
    'is read for the body %j, with its source: %s; never as "[object Object]" (T1-06)',
    (body, from) => {
      const found = read(body);
      expect(found.from).toBe(from);
      expect(JSON.stringify(found)).not.toContain('[object');
    },
  );

  it('is plain text if the body is a web page or not UTF-8 (T1-06)', () => {
    const page = '<html><head><title>502 Bad Gateway</title></head><body><h1>no</h1></body></html>';
    expect(read(page, 'text/html')).toMatchObject({ from: 'other', message: '502 Bad Gateway' });
    const latin1 = new TextDecoder().decode(Buffer.from('Otillåtet', 'latin1'));
    expect(read(latin1, 'text/plain').message).toBe('Otill\ufffdtet');
  });

  it('is not accepted as an error of the API if its JSON is declared as a web page', () => {
    expect(read({ message: 'Blocked' }, 'text/html').from).toBe('other');
  });

  it('contains no API key, personal number, contact or query', () => {
    const message =
      'Token s3cr3t-token: 19850709-9805, 131052-308T, a.b@example.com, +46 70 123 45 67, https://x.example/f?sig=1';
    const parsed = read({ message }).message;
    for (const secret of ['s3cr3t', '9805', '308T', 'example.com,', '70 123', 'sig=1']) {
      expect(parsed).not.toContain(secret);
    }
  });

  it('keeps timestamps, IDs and milliseconds readable', () => {
    const message = '20260131T235959Z 12345678-1234-11f0-8d35-03d35ce00001 1767225600000';
    expect(read({ message }).message).toBe(message);
  });

  it.each([
    ['text/plain; charset=utf-8', 'expireOn must be in the future', 'text'],
    ['', 'expireOn must be in the future', 'text'],
    ['text/plain', '<h1>Blocked</h1>', 'other'],
    ['text/plain', '{"message": "cut', 'other'],
    ['text/plain', 'x'.repeat(2_001), 'other'],
    ['text/html', 'Blocked', 'other'],
    ['application/xml', 'Blocked', 'other'],
    ['text/plain', ' ', 'nobody'],
  ])('with the type %j and the text %j has the source: %s (FE-D4)', (type, text, from) => {
    expect(read(text, type).from).toBe(from);
  });
});
