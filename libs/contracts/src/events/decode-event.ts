import { EVENTS, isEventType, type EventOf } from './catalogue';
import { envelopeSchema } from './envelope';

/** A message that can never be decoded; it is parked with this reason. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation';
}

/**
 * Reads a message body as one of our events; unknown fields are dropped. Throws ContractViolation for malformed JSON,
 * an unknown type or version, or a shape that breaks the contract. The text of the error names fields, never values:
 * bodies hold phone numbers.
 */
export function decodeEvent(body: Buffer | string): EventOf {
  return readEvent(parseBody(body));
}

/** The JSON of a message, of one event or of several. */
export function parseBody(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new ContractViolation('the body is not JSON');
  }
}

/** `decodeEvent` for a body that has been parsed already. */
export function readEvent(json: unknown): EventOf {
  const envelope = envelopeSchema.safeParse(json);
  if (!envelope.success) throw new ContractViolation(`envelope: ${problems(envelope.error.issues)}`);
  const { type, version } = envelope.data;
  if (!isEventType(type)) throw new ContractViolation(`unknown event type ${type.slice(0, 60)}`);
  if (version !== EVENTS[type].version) throw new ContractViolation(`unknown version ${version} of ${type}`);
  const data = EVENTS[type].data.safeParse(envelope.data.data);
  if (!data.success) throw new ContractViolation(`${type} data: ${problems(data.error.issues)}`);
  return { ...envelope.data, data: data.data } as EventOf;
}

function problems(issues: readonly { path: PropertyKey[]; code?: string | undefined }[]): string {
  return issues.map((issue) => `${issue.path.map(String).join('.') || '(root)'} ${issue.code ?? 'invalid'}`).join(', ');
}
