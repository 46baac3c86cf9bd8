import { captureServer, failOnLeaks, type CaptureServer } from '../src';

failOnLeaks();

describe('a capture server', () => {
  let merchant: CaptureServer;

  beforeEach(async () => {
    merchant = await captureServer();
  });

  afterEach(() => merchant.close());

  const post = (body: string, signal?: AbortSignal) =>
    fetch(`${merchant.url}/hook?x=1`, { method: 'POST', body, headers: { 'x-test': 'yes' }, signal: signal ?? null });

  it('records the exact bytes, the path and the headers, and answers 200', async () => {
    const body = '{ "amount" : "৫০০" }';

    const response = await post(body);
    const request = await merchant.waitFor(({ path }) => path === '/hook?x=1');

    expect(response.status).toBe(200);
    expect(request.rawBody).toEqual(Buffer.from(body));
    expect(request.headers['x-test']).toBe('yes');
    expect(request.json()).toEqual({ amount: '৫০০' });
  });

  it('sends the responses that the test chooses, request by request', async () => {
    merchant.respondWith((_, count) =>
      count === 1 ? { status: 503, headers: { 'retry-after': '7' } } : { status: 204 },
    );

    const first = await post('1');
    const second = await post('2');

    expect([first.status, first.headers.get('retry-after'), second.status]).toEqual([503, '7', 204]);
  });

  it('can leave a request without a response', async () => {
    merchant.respondWith(() => undefined);

    const patience = new AbortController();
    const answer = post('1', patience.signal).catch((error: unknown) => String(error));
    await merchant.waitFor(() => true);
    patience.abort();

    expect(await answer).toContain('aborted');

    expect(merchant.requests).toHaveLength(1);
  });
});
