import * as z from 'zod';
import type { Demo } from '../../electron/demo/start.ts';

const Made = z.object({ data: z.object({ id: z.string() }) });

/** Creates an agreement as another program does with API v1; returns its ID. */
export async function sendElsewhere(
  { v1Url, credentials }: Pick<Demo, 'v1Url' | 'credentials'>,
  body: object,
): Promise<string> {
  const response = await fetch(`${v1Url}/v1/agreements`, {
    method: 'POST',
    headers: { Authorization: `Token ${credentials.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return Made.parse(JSON.parse(text)).data.id;
}

/** An agreement that our own company signs through the API. */
export const toSign = (title: string, pdf: string | Uint8Array) => ({
  title,
  attachments: [
    {
      type: 'BASE64',
      category: 'AGREEMENT',
      name: 'frame.pdf',
      data: Buffer.from(pdf).toString('base64'),
    },
  ],
  parties: [
    {
      type: 'MY_COMPANY',
      email: 'we@office.example',
      signingConfigurations: [{ type: 'API' }],
    },
  ],
});
