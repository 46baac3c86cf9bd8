import { pageQuerySchema } from './pagination';

describe('pageQuerySchema', () => {
  it.each([
    [{}, { page: 1, limit: 20 }],
    [
      { page: '3', limit: '50' },
      { page: 3, limit: 50 },
    ],
    [{ limit: '100' }, { page: 1, limit: 100 }],
    [{ limit: '101' }, { page: 1, limit: 100 }],
    [{ limit: '999999999' }, { page: 1, limit: 100 }],
  ])('parses %p as %p', (query, page) => {
    expect(pageQuerySchema.parse(query)).toEqual(page);
  });

  it.each(['0', '-1', '1.5', 'x', '', ' 1', '1e3', '01', '9999999999', ['1', '2'], { $gt: '1' }])(
    'rejects %j as page and as limit and names the parameter',
    (value) => {
      const messages = pageQuerySchema
        .safeParse({ page: value, limit: value })
        .error?.issues.map((issue) => issue.message);
      expect(messages).toEqual(['page must be a positive whole number', 'limit must be a positive whole number']);
    },
  );
});
