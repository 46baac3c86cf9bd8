import fc from 'fast-check';
import { ApiDocument, type DescribedOperation } from './api-document';
import { requestsTo } from './generate-requests';

const document = new ApiDocument();
const operation = document.operations.find(({ id }) => id === 'leaveCheckout') as DescribedOperation;
const headers = { 'x-request-id': 'r-1', 'content-type': 'application/json; charset=utf-8' };
const problems = (status: number, body: unknown, sent: Record<string, string> = headers) =>
  document.problemsOf(operation, { status, headers: sent, text: body === undefined ? '' : JSON.stringify(body) });

describe('ApiDocument.problemsOf', () => {
  it('finds nothing in an answer that obeys', () => {
    expect(problems(200, { redirectUrl: null })).toEqual([]);
    expect(problems(404, { code: 'NOT_FOUND', message: 'No.' })).toEqual([]);
    expect(problems(400, { statusCode: 400, message: ['id is wrong'], error: 'Bad Request' })).toEqual([]);
  });

  it.each<[string, number, unknown, RegExp]>([
    ['a status that is not described', 402, {}, /status 402 is not described/],
    ['a field that is not described', 200, { redirectUrl: null, secret: 'x' }, /must NOT have unevaluated properties/],
    ['a missing field', 200, {}, /redirectUrl/],
    ['another type', 200, { redirectUrl: 7 }, /must be string,null/],
    ['a code of another status', 404, { code: 'FORBIDDEN', message: 'No.' }, /allowed values/],
    ['the wrong shape of an error', 400, { code: 'NOT_FOUND', message: 'No.' }, /statusCode/],
  ])('finds %s', (_what, status, body, problem) => {
    expect(problems(status, body).join()).toMatch(problem);
  });

  it('finds a missing header and another content type', () => {
    expect(problems(200, { redirectUrl: null }, { 'content-type': 'application/json' })).toEqual([
      '200 without the header X-Request-Id',
    ]);
    expect(problems(200, { redirectUrl: null }, { ...headers, 'content-type': 'text/html' })).toEqual([
      '200 with a body of type text/html',
    ]);
  });

  it('compares a body that is not JSON as a text', () => {
    const file = document.operations.find(({ id }) => id === 'exportPayments') as DescribedOperation;
    const sent = { ...headers, 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment' };

    expect(document.problemsOf(file, { status: 200, headers: sent, text: 'id,created_at\r\n' })).toEqual([]);
  });

  it('compares every event of a stream with the schema of its name', () => {
    const stream = document.operations.find(({ id }) => id === 'watchCheckout') as DescribedOperation;
    const sent = { 'x-request-id': 'r-1', 'content-type': 'text/event-stream; charset=utf-8' };
    const found = (text: string) => document.problemsOf(stream, { status: 200, headers: sent, text });

    expect(found('retry: 2000\n\nevent: end\ndata: {}\n\n')).toEqual([]);
    expect(found('event: other\ndata: {}\n\n')).toEqual(['200 with the event other, which is not described']);
    expect(found('retry: 1\n\nevent: checkout\nid: 1-a\ndata: {"id":"x"}\n\n').join()).toMatch(
      /event checkout: .*amount/,
    );
  });
});

describe('requestsTo', () => {
  it('makes the same requests of the same seed, some of each kind', () => {
    const create = document.operations.find(({ id }) => id === 'createPaymentIntent') as DescribedOperation;
    const sample = () => fc.sample(requestsTo(create, { document, idsOf: () => [] }), { numRuns: 60, seed: 7 });

    expect(sample()).toEqual(sample());
    expect(new Set(sample().map(({ kind }) => kind)).size).toBe(3);
  });

  it('sends objects with listed names, and with a wrong value of one', () => {
    const settings = document.operations.find(({ id }) => id === 'changeAlertSettings') as DescribedOperation;
    const sent = fc.sample(requestsTo(settings, { document, idsOf: () => [] }), { numRuns: 300, seed: 7 });
    const valuesOf = (wanted: string) =>
      sent
        .filter(({ kind }) => kind === wanted)
        .map(({ body }) => JSON.parse(body ?? '{}') as { kinds?: { sms_missing?: unknown } | null })
        .flatMap(({ kinds }) => kinds?.sms_missing ?? []);

    expect(new Set(valuesOf('valid'))).toEqual(new Set([true, false]));
    expect(valuesOf('near-valid').filter((value) => typeof value !== 'boolean').length).toBeGreaterThan(0);
  });
});
