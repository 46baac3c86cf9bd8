import { createHmac } from 'node:crypto';
import { sign, signStandard, verify, verifyStandard } from './signature';

// The vector of the README. `openssl dgst -sha256 -hmac <secret>` over the same bytes gives the same.
const body =
  '{"event":"payment.paid","environment":"SANDBOX","timestamp":"2026-11-20T09:01:32.000Z","data":{"payment_intent_id":"01935002-0000-7000-8000-00000000b001","amount":"1250.5","currency":"BDT","customer_reference":"TEA-77","merchant_reference":"চা ২০৪১"}}';
const secret = 'tea_shop_2041_sandbox_secret';
const id = '01935009-0000-7000-8000-00000000aa01';
const timestamp = 1_795_165_292;
const hex = 'dcfefb53b1c0a5917ba0cf86351e6f0a06bc67ff2c3148c7a7d9acdc4ebcf6c6';
const base64 = '4Rqj29KnskYW9se9IuxPTJTsTZJeSDcrUd3op4IvNJc=';

describe('the published vector', () => {
  it('is the result of sign, for text and for bytes', () => {
    expect(sign(body, secret)).toBe(`sha256=${hex}`);
    expect(sign(Buffer.from(body), secret)).toBe(`sha256=${hex}`);
  });

  it('is the result of signStandard, for text and for bytes', () => {
    expect(signStandard(id, timestamp, body, secret)).toBe(`v1,${base64}`);
    expect(signStandard(id, timestamp, Buffer.from(body), secret)).toBe(`v1,${base64}`);
  });
});

it('uses a secret that begins with whsec_ as text, not as base64', () => {
  const prefixed = `whsec_${Buffer.from(secret).toString('base64')}`;
  const ofText = createHmac('sha256', prefixed).update(`${id}.${timestamp}.${body}`).digest('base64');

  expect(signStandard(id, timestamp, body, prefixed)).toBe(`v1,${ofText}`);
  expect(verifyStandard(id, timestamp, body, `v1,${base64}`, prefixed)).toBe(false);
});

describe('verify', () => {
  it('accepts the signature of these bytes', () => {
    expect(verify(body, `sha256=${hex}`, secret)).toBe(true);
    expect(verify('', sign('', secret), secret)).toBe(true);
  });

  it('refuses the signature if any single bit of the body is flipped', () => {
    const bytes = Buffer.from(body);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(verify(flipped, `sha256=${hex}`, secret)).toBe(false);
    }
  });

  it('refuses a signature with any single changed digit', () => {
    for (let place = 0; place < hex.length; place += 1) {
      const digit = hex[place] === '0' ? '1' : '0';
      expect(verify(body, `sha256=${hex.slice(0, place)}${digit}${hex.slice(place + 1)}`, secret)).toBe(false);
    }
  });

  it.each([
    ['another secret', `sha256=${hex}`, 'tea_shop_2042_sandbox_secret'],
    ['no header', undefined, secret],
    ['an empty header', '', secret],
    ['the prefix alone', 'sha256=', secret],
    ['no prefix', hex, secret],
    ['another prefix', `sha512=${hex}`, secret],
    ['a prefix in capitals', `SHA256=${hex}`, secret],
    ['capitals', `sha256=${hex.toUpperCase()}`, secret],
    ['a digit less', `sha256=${hex.slice(0, -1)}`, secret],
    ['a digit more', `sha256=${hex}0`, secret],
    ['white space around it', ` sha256=${hex} `, secret],
    ['base64', `sha256=${Buffer.from(hex, 'hex').toString('base64')}`, secret],
    ['two signatures', `sha256=${hex},sha256=${hex}`, secret],
    ['letters that are several bytes long', `sha256=${'é'.repeat(32)}`, secret],
    ['letters that are several bytes long in the same number', 'é'.repeat(71), secret],
  ])('refuses %s', (_what, header, key) => {
    expect(verify(body, header, key)).toBe(false);
  });

  it('compares bytes, not parsed values', () => {
    const escaped = JSON.stringify(JSON.parse(body)).replace('চা', '\\u099a\\u09be');

    expect(JSON.parse(escaped)).toEqual(JSON.parse(body));
    expect(verify(escaped, `sha256=${hex}`, secret)).toBe(false);
  });

  it('works with bodies and secrets in any script', () => {
    const text = '{"merchant":"দোকান ☕ 😀"}';
    expect(verify(Buffer.from(text), sign(text, 'গোপন-চাবি-১২৩৪৫৬'), 'গোপন-চাবি-১২৩৪৫৬')).toBe(true);
  });
});

describe('verifyStandard', () => {
  it('accepts the signature among those of other secrets and versions', () => {
    const header = `v1a,AAAA v1,${'A'.repeat(43)}= v1,${base64}`;
    expect(verifyStandard(id, timestamp, body, header, secret)).toBe(true);
  });

  it.each([
    ['another id', id.replace('aa01', 'aa02'), timestamp, `v1,${base64}`],
    ['another time', id, timestamp + 1, `v1,${base64}`],
    ['no version', id, timestamp, base64],
    ['another version', id, timestamp, `v2,${base64}`],
    ['nothing', id, timestamp, ''],
    ['commas between the entries', id, timestamp, `v1,AAAA,v1,${base64}`],
  ])('refuses %s', (_what, messageId, seconds, header) => {
    expect(verifyStandard(messageId, seconds, body, header, secret)).toBe(false);
  });
});

describe('an empty secret', () => {
  // Anybody can compute these.
  const forged = `sha256=${createHmac('sha256', '').update(body).digest('hex')}`;
  const forgedStandard = `v1,${createHmac('sha256', '').update(`${id}.${timestamp}.${body}`).digest('base64')}`;

  it.each([
    ['sign', () => sign(body, '')],
    ['signStandard', () => signStandard(id, timestamp, body, '')],
    ['verify', () => verify(body, forged, '')],
    ['verify without a header', () => verify(body, undefined, '')],
    ['verifyStandard', () => verifyStandard(id, timestamp, body, forgedStandard, '')],
  ])('makes %s throw a TypeError', (_name, call) => {
    expect(call).toThrow(new TypeError('The webhook secret must not be empty. Set it to the secret of the endpoint.'));
  });
});
