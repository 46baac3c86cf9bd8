/** The longest data URL that the API accepts. */
const MAX_LOGO_LENGTH = 16_384;

/** An image as a data URL; undefined if it is too large. */
export async function readLogo(file: Blob): Promise<string | undefined> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.length > MAX_LOGO_LENGTH) return undefined;
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const url = `data:${file.type};base64,${btoa(text)}`;
  return url.length > MAX_LOGO_LENGTH ? undefined : url;
}
