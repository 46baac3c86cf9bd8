import { ApiFailure } from '../api/api-failure';

/**
 * Saves the body of a response under the name that the response gives it. A body that is cut off is a failure, not a
 * shorter file.
 */
export async function saveFile(response: Response): Promise<void> {
  const body = await response.blob().catch(() => {
    throw ApiFailure.interrupted();
  });
  saveAs(body, fileNameOf(response.headers.get('content-disposition')));
}

export function saveAs(body: Blob, name: string): void {
  const url = URL.createObjectURL(body);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** "payments.csv" for `attachment; filename="payments.csv"`. */
export function fileNameOf(disposition: string | null): string {
  return /filename="([^"/\\]+)"/.exec(disposition ?? '')?.[1] ?? 'export';
}
