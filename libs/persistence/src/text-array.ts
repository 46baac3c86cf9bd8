const TEXT_OID = 25;
const ARRAY_HEADER_BYTES = 12;
const DIMENSION_BYTES = 8;
const LENGTH_BYTES = 4;

/**
 * A `text[]` parameter in Postgres's binary format, for long texts. The driver's literal would escape every quote of a
 * JSON text and allocate ten times its size.
 */
export function textArray(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const dimensions = texts.length === 0 ? 0 : 1;
  const size = lengths.reduce(
    (sum, length) => sum + LENGTH_BYTES + length,
    ARRAY_HEADER_BYTES + dimensions * DIMENSION_BYTES,
  );
  const bytes = Buffer.allocUnsafe(size);
  const hasNulls = 0;
  let at = bytes.writeInt32BE(dimensions, 0);
  at = bytes.writeInt32BE(hasNulls, at);
  at = bytes.writeInt32BE(TEXT_OID, at);
  if (dimensions === 0) return bytes;
  at = bytes.writeInt32BE(texts.length, at);
  const lowerBound = 1;
  at = bytes.writeInt32BE(lowerBound, at);
  texts.forEach((text, place) => {
    at = bytes.writeInt32BE(lengths[place] ?? 0, at);
    at += bytes.write(text, at);
  });
  return bytes;
}
