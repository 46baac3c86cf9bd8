import { z } from 'zod';
import { route } from '../src/index';
import { serve, type Served } from './serve';

let served: Served;

beforeEach(async () => {
  served = await serve({
    mount(app) {
      const body = z.object({ name: z.string() });
      const query = z.object({ page: z.string().optional(), pageSize: z.string().optional() });
      app.get(
        '/v1/things',
        route({ query }, async ({ query: { page } }) => ({ status: 200, body: { page } })),
      );
      app.post(
        '/v1/things',
        route({ body }, async ({ body }) => ({ status: 201, body })),
      );
      app.post(
        '/v1/any-text',
        route({ body, anyText: true }, async ({ body }) => ({ status: 202, body })),
      );
    },
  });
});

afterEach(() => served.close());

describe('a query', () => {
  it.each([
    ['Page', 'Page is not a parameter; write page'],
    ['page[]', 'page[] is not a parameter; write page'],
    ['page_size', 'page_size is not a parameter; write pageSize'],
    ['page-size', 'page-size is not a parameter; write pageSize'],
    ['PAGESIZE', 'PAGESIZE is not a parameter; write pageSize'],
  ])('gets a validation error if it contains %s instead of a known parameter', async (name, sentence) => {
    const answer = await served.send(`/v1/things?${encodeURIComponent(name)}=2`);

    expect(answer).toMatchObject({ status: 400, body: { message: [sentence] } });
  });

  it('may have parameters that its route does not know', async () => {
    const answer = await served.send('/v1/things?page=2&utm_source=mail&pages=3&__proto__=1&_=1732700000');

    expect(answer).toMatchObject({ status: 200, body: { page: '2' } });
  });
});

describe('a body', () => {
  it('is a validation error if it is not valid UTF-8, which decoding would replace', async () => {
    expect(await served.post('/v1/things', Buffer.from('{"name":"caf\xe9"}', 'latin1'))).toMatchObject({
      status: 400,
      body: { message: ['body must be valid UTF-8'] },
    });
    expect(await served.post('/v1/things', '{"name":"café"}')).toMatchObject({ status: 201, body: { name: 'café' } });
  });

  it('may contain invalid UTF-8 where the schema handles any text, because a refused SMS would be a lost payment', async () => {
    expect(await served.post('/v1/any-text', Buffer.from('{"name":"caf\xe9"}', 'latin1'))).toMatchObject({
      status: 202,
      body: { name: 'caf\ufffd' },
    });
  });
});
