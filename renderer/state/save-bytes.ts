import type { BytesId } from '../../shared/contract/ids.ts';

/** Lets a person save bytes that a call left, under a name of their choice. */
export function saveBytes({
  out,
  fileName,
}: {
  readonly out: BytesId;
  readonly fileName: string;
}): void {
  const link = document.createElement('a');
  link.href = `/bytes/out/${out}`;
  link.download = fileName;
  link.click();
}
