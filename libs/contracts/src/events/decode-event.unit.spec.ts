import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ContractViolation, decodeEvent } from './decode-event';

const body = readFileSync(join(__dirname, '..', 'fixtures', 'sms.parsed.v1.json'), 'utf8');

function changed(change: (event: { type: unknown; version: unknown; data: Record<string, unknown> }) => void): string {
  const event = JSON.parse(body);
  change(event);
  return JSON.stringify(event);
}

function violation(message: string): string {
  try {
    decodeEvent(message);
  } catch (error) {
    if (error instanceof ContractViolation) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('decodeEvent', () => {
  it('returns the same event for a buffer and for a string', () => {
    expect(decodeEvent(Buffer.from(body))).toEqual(decodeEvent(body));
  });

  it.each(['', 'not json', '{"id":', '\u0000'])('rejects %j because it is not valid JSON', (message) => {
    expect(violation(message)).toBe('the body is not JSON');
  });

  it.each(['null', '[]', '7', '{}'])('rejects %s because its envelope is invalid', (message) => {
    expect(violation(message)).toMatch(/^envelope: /);
  });

  it('rejects an unknown event type, including names of inherited object properties', () => {
    expect(violation(changed((event) => (event.type = 'sms.eaten')))).toBe('unknown event type sms.eaten');
    expect(violation(changed((event) => (event.type = 'constructor')))).toBe('unknown event type constructor');
  });

  it('rejects an unknown version of a known event type', () => {
    expect(violation(changed((event) => (event.version = 2)))).toBe('unknown version 2 of sms.parsed');
  });

  it('names the invalid fields without their values', () => {
    const message = violation(
      changed(({ data }) => {
        data.senderMsisdn = { number: '01800000901' };
        data.provider = 'ROCKET-01800000901';
        data.receivedAt = 'on 01800000901 at noon';
        delete data.trxId;
      }),
    );

    expect(message).toMatch(/^sms.parsed data: /);
    for (const field of ['senderMsisdn', 'provider', 'receivedAt', 'trxId']) expect(message).toContain(field);
    expect(message).not.toMatch(/01800000901|ROCKET|noon/);
  });
});
