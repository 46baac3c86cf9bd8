import { createLogger } from './logger';

/** Lines of any form, because redaction does not depend on the catalogue. */
interface AnyLogger {
  info(fields: unknown, text?: string): void;
  error(fields: unknown, text?: string): void;
  child(bindings: object): AnyLogger;
}

function capture(): { log: AnyLogger; lines: string[]; last: () => Record<string, any> } {
  const lines: string[] = [];
  const log = createLogger({
    service: 'sms-ingest',
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') };
}

/** Invented values. Log lines must not contain them. */
const PHONE = '01712345678';
const KEY = 'sk_live_0123456789abcdefghijklmnopqrstuv';
const TEXT = 'You have received Tk 500.00 from';

describe('createLogger', () => {
  it('adds one exit listener for all loggers that write to standard output', () => {
    const before = process.listenerCount('exit');

    for (let count = 0; count < 12; count += 1) createLogger({ service: 'sms-ingest', level: 'silent' });

    expect(process.listenerCount('exit') - before).toBeLessThanOrEqual(1);
  });

  it('writes one JSON line with the level name, UTC time and service', () => {
    const { log, last } = capture();

    log.info({ smsEventId: 'e1', durationMs: 3 }, 'sms.parsed');

    expect(last()).toMatchObject({
      level: 'info',
      service: 'sms-ingest',
      smsEventId: 'e1',
      durationMs: 3,
      msg: 'sms.parsed',
    });
    expect(last()['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it.each([
    ['x-api-key', KEY],
    ['X-Device-Key', KEY],
    ['authorization', `Bearer ${KEY}`],
    ['secret', KEY],
    ['webhook_secret', KEY],
    ['message', TEXT],
    ['sender', PHONE],
    ['msisdn', PHONE],
    ['receiverMsisdn', PHONE],
    ['expectedSenderMsisdn', PHONE],
    ['trxId', 'DKL4A1B2C3'],
    ['parsedTrxId', 'DKL4A1B2C3'],
    ['apiKey', KEY],
    ['deviceKey', KEY],
    ['password', KEY],
    ['refreshToken', KEY],
    ['set-cookie', KEY],
    ['rawBody', TEXT],
    ['hookId', 'h-1'],
  ])('replaces the value of %s at the top level, nested, in a list and in a child logger', (name, value) => {
    const { log, lines } = capture();

    log.info({ [name]: value }, 'flat');
    log.info({ request: { inner: { [name]: value } } }, 'deep');
    log.info({ items: [{ [name]: value }, { [name]: [value] }] }, 'list');
    log.child({ [name]: value }).info('child');
    log
      .child({ a: 1 })
      .child({ at: { [name]: value } })
      .info('grandchild');

    expect(lines).toHaveLength(5);
    expect(lines.join('')).not.toContain(value);
    for (const line of lines) expect(line).toContain('[redacted]');
  });

  it('keeps ids, outcomes and numbers, and does not modify the logged object', () => {
    const { log, last } = capture();
    const fields = {
      keyId: 'k1',
      messageCount: 3,
      trxIdUsed: false,
      sender: undefined,
      nested: { secret: 'x', id: 1 },
    };

    log.info(fields, 'x');

    expect(last()).toMatchObject({
      keyId: 'k1',
      messageCount: 3,
      trxIdUsed: false,
      nested: { secret: '[redacted]', id: 1 },
    });
    expect(fields.nested.secret).toBe('x');
  });

  it('writes the size of a buffer instead of its content', () => {
    const { log, lines } = capture();

    log.info({ chunk: Buffer.from(TEXT), inner: { chunk: Buffer.from('ab') } }, 'x');

    expect(lines[0]).toContain(`[${TEXT.length} bytes]`);
    expect(lines[0]).toContain('[2 bytes]');
  });

  it('logs circular and very deep objects', () => {
    const { log, last } = capture();
    const circle: Record<string, unknown> = { id: 1 };
    circle['self'] = circle;

    log.info({ circle }, 'x');

    expect(last()).toMatchObject({ msg: 'x', circle: { id: 1 } });
  });
});

describe('an error in a log line', () => {
  it('contains type, message, stack, code and causes, and no property added by a driver', () => {
    const { log, last, lines } = capture();
    const driver = Object.assign(new Error('duplicate key value violates unique constraint "one_trx"'), {
      code: '23505',
      constraint: 'one_trx',
      detail: 'Key (trx_id)=(DKL4A1B2C3) already exists.',
      parameters: [PHONE],
    });

    log.error({ err: new Error('could not store', { cause: driver }) }, 'x');

    expect(last()['err']).toMatchObject({
      type: 'Error',
      message: 'could not store',
      cause: { code: '23505', constraint: 'one_trx' },
    });
    expect(last()['err'].stack).toContain('logger.unit.spec');
    expect(lines.join('')).not.toContain('DKL4A1B2C3');
    expect(lines.join('')).not.toContain(PHONE);
  });

  it.each([
    [`invalid input syntax for type uuid: "+88${PHONE}"`, PHONE],
    [`unknown key ${KEY}`, KEY],
    ['connect ECONNREFUSED postgres://role:hunter2@127.0.0.1:5432/pay', 'hunter2'],
  ])('has phone numbers, keys and passwords removed from its message and stack: %s', (text, secret) => {
    const { log, lines } = capture();

    log.error(new Error(text));
    log.error({ err: new Error(text) }, 'x');
    log.error({ inner: { failure: new Error(text) } }, 'x');

    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toContain(secret);
    expect(lines.join('').match(/"stack"/g)).toHaveLength(3);
  });

  it('names the type of a thrown value that is not an Error', () => {
    const { log, last } = capture();

    log.error({ err: 'just text' }, 'x');

    expect(last()['err']).toEqual({ type: 'string', message: 'just text' });
  });
});
