import { ApiDocument, type DescribedOperation } from './api-document';
import { asCurl } from './as-curl';
import { contractRequests } from './contract-requests';

const document = new ApiDocument();
const operation = document.operations.find(({ id }) => id === 'createPaymentIntent') as DescribedOperation;

describe('contractRequests', () => {
  const requests = contractRequests(operation, { document, idsOf: () => [], seed: 7, most: 10_000 });
  const validityOf = (amount: string) => requests.find(({ about }) => about === `body.amount = ${amount}`)?.isValid;

  it('takes from the document which amounts are valid', () => {
    expect(validityOf('0.01')).toBe(true);
    expect(validityOf('9999999.99')).toBe(true);
    expect(['0', '-1', '0.001', '0.30000000000000004', '10000000.99', '"0"', 'null'].map(validityOf)).toEqual(
      Array.from({ length: 7 }, () => false),
    );
  });

  it('treats e-mail addresses that are longer than RFC 5321 allows as invalid, whatever the pattern allows', () => {
    const invitation = document.operations.find(({ id }) => id === 'createInvitation') as DescribedOperation;
    const sent = contractRequests(invitation, { document, idsOf: () => [], seed: 7, most: 10_000 });
    const results = [
      ...[64, 65].map((length) => `${'a'.repeat(length)}@shop.example`),
      ...[63, 64].map((length) => `a@${'b'.repeat(length)}.example`),
    ].map((email) => sent.find(({ about }) => about === `body.email = "${email}"`)?.isValid);

    expect(results).toEqual([true, false, true, false]);
  });

  it('treats names with links or bidi controls as invalid', () => {
    const invitation = document.operations.find(({ id }) => id === 'createInvitation') as DescribedOperation;
    const sent = contractRequests(invitation, { document, idsOf: () => [], seed: 7, most: 10_000 });
    const results = ['a', 'a://b', 'WWW.a', '\u202e'].map(
      (name) => sent.find(({ about }) => about === `body.name = ${JSON.stringify(name)}`)?.isValid,
    );

    expect(results).toEqual([true, false, false, false]);
  });

  it('sends listed names of an object with values of each type, and treats other names as invalid', () => {
    const settings = document.operations.find(({ id }) => id === 'changeAlertSettings') as DescribedOperation;
    const sent = contractRequests(settings, { document, idsOf: () => [], seed: 7, most: 10_000 });
    const validityOfKinds = (kinds: string) => sent.find(({ about }) => about === `body.kinds = ${kinds}`)?.isValid;
    const valid = ['{"device_silent":true}', '{"device_silent":false}', '{"payment_doubtful":true}', '{}'];
    const invalid = ['{"device_silent":7}', '{"device_silent":null}', '{"a":true}', '{"__proto__":true}'];

    expect(valid.map(validityOfKinds)).toEqual(valid.map(() => true));
    expect(invalid.map(validityOfKinds)).toEqual(invalid.map(() => false));
  });

  it('leaves out each required field, and the body', () => {
    const invalid = requests.filter(({ isValid }) => !isValid).map(({ about }) => about);
    expect(invalid).toEqual(expect.arrayContaining(['no body.amount', 'no body.idempotencyKey', 'no body']));
  });
});

it.each(document.operations.filter(({ body }) => body !== undefined))('makes requests with a body for $id', (each) => {
  const sent = contractRequests(each, { document, idsOf: () => [], seed: 7, most: 5 });
  expect(sent.filter(({ isValid }) => isValid).length).toBeGreaterThan(0);
});

describe('asCurl', () => {
  it('writes a request as a command without its credentials', () => {
    const headers = { 'x-api-key': 'sk_test_secret', authorization: 'Bearer secret', 'x-other': 'a' };
    const command = asCurl('$BASE_URL', { method: 'POST', path: '/v1/a?b=c', headers, body: `{"a":"it's"}` });

    expect(command).not.toContain('secret');
    expect(command).toBe(
      `curl -i -X POST -H "x-api-key: $API_KEY" -H "authorization: Bearer $ACCESS_TOKEN" -H 'x-other: a' ` +
        `--data-binary '{"a":"it'\\''s"}' "$BASE_URL"'/v1/a?b=c'`,
    );
  });
});
