import { startService, type ServiceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });

describe('GET /v1/openapi.json', () => {
  it('answers the OpenAPI 3.1 document without a credential, and it may be kept', async () => {
    const response = await get('/v1/openapi.json');

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(await response.json()).toMatchObject({
      openapi: '3.1.1',
      paths: { '/v1/payments/intents': { post: { operationId: 'createPaymentIntent' } } },
    });
  });

  it('answers 304 to a client that has it in its cache', async () => {
    const etag = (await get('/v1/openapi.json')).headers.get('etag') ?? '';

    const again = await get('/v1/openapi.json', { 'if-none-match': `W/"other", ${etag}` });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect((await get('/v1/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200);
  });
});

describe('GET /v1/docs', () => {
  it('loads only from its own origin and runs no inline script', async () => {
    const response = await get('/v1/docs');
    const page = await response.text();

    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';");
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(page).not.toMatch(/https?:\/\//);
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(page).not.toMatch(/\sstyle=|<style/);
  });

  it.each(['/v1/docs', '/v1/docs/'])('has every file that the page names, opened as %s', async (path) => {
    const page = await (await get(path)).text();
    const script = await (await get('/v1/docs/reference.js')).text();
    const named = [...page.matchAll(/(?:href|src)="([^"]+)"/g), ...script.matchAll(/fetch\('([^']+)'\)/g)];
    const files = named.map(([, file = '']) => new URL(file, `http://gateway${path}`).pathname);

    expect(files).toHaveLength(6);
    for (const file of files) {
      const response = await get(file);
      expect(response.status).toBe(200);
      expect(response.headers.get('etag')).toBeTruthy();
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
  });

  it('offers to enter a key and to send requests, and keeps no key', async () => {
    const script = await (await get('/v1/docs/reference.js')).text();

    expect(script).toContain('tryItOutEnabled: true');
    expect(script).toContain('persistAuthorization: false');
    expect(script).not.toMatch(/supportedSubmitMethods|authorizeBtn/);
    expect(script).toContain('location.origin');
  });

  it.each(['package.json', 'index.html', '..%2fpackage.json', 'swagger-ui-bundle.js.map'])(
    'has no %s',
    async (file) => {
      expect((await get(`/v1/docs/${file}`)).status).toBe(404);
    },
  );
});
