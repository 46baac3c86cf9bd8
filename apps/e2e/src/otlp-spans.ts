export interface ExportedSpan {
  readonly name: string;
  readonly kind: string;
  readonly attributes: readonly string[];
}

/** SpanKind of OTLP by number. */
const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

interface Field {
  readonly number: number;
  /** Value of a varint; 0 for all other types. */
  readonly value: number;
  /** Content of text, bytes and messages; empty for all other types. */
  readonly bytes: Buffer;
}

/** Parses an OTLP ExportTraceServiceRequest in the Protobuf encoding. */
export function spansOf(request: Buffer): ExportedSpan[] {
  const resourceSpans = messages(request, 1);
  const scopeSpans = resourceSpans.flatMap((message) => messages(message, 2));
  return scopeSpans.flatMap((message) => messages(message, 2)).map(spanOf);
}

function spanOf(span: Buffer): ExportedSpan {
  const fields = fieldsOf(span);
  const kind = fields.find(({ number }) => number === 6)?.value ?? 0;
  return {
    name: textOf(fields, 5),
    kind: KINDS[kind] ?? String(kind),
    attributes: messages(span, 9).map((attribute) => textOf(fieldsOf(attribute), 1)),
  };
}

function messages(message: Buffer, number: number): Buffer[] {
  return fieldsOf(message)
    .filter((field) => field.number === number)
    .map(({ bytes }) => bytes);
}

function textOf(fields: readonly Field[], number: number): string {
  return fields.find((field) => field.number === number)?.bytes.toString('utf8') ?? '';
}

function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message.readUInt8(at);
      at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  const skip = (length: number) => {
    if (at + length > message.length) throw new Error(`A field of ${length} bytes ends behind its message.`);
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const key = varint();
    const number = Math.floor(key / 8);
    const type = key % 8;
    if (type === VARINT) fields.push({ number, value: varint(), bytes: Buffer.alloc(0) });
    else if (type === BYTES) fields.push({ number, value: 0, bytes: skip(varint()) });
    else if (type === FIXED_64) skip(8);
    else if (type === FIXED_32) skip(4);
    else throw new Error(`Protobuf has no wire type ${type}.`);
  }
  return fields;
}
