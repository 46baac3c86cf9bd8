import { z } from 'zod';
import { route } from '../src/index';
import { serve, type Served } from './serve';

let served: Served;

beforeEach(async () => {
  served = await serve({
    mount(app) {
      const query = z.object({ page: z.string().optional(), pageSize: z.string().optional() });
      app.get(
        '/v1/things',
        route({ query }, async ({ query: { page } }) => ({ status: 200, body: { page } })),
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
