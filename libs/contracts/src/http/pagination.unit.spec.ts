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

  it.each([
    ...['0', '-1', '1.5', 'x', '', ' 1', '1e3', '01', '9999999999'].map(
      (value) => [value, 'must be a whole number from 1 to 999999999'] as const,
    ),
    [['1', '2'], 'must be given only once'] as const,
  ])('rejects %j as page and as limit: %s', (value, problem) => {
    const issues = pageQuerySchema.safeParse({ page: value, limit: value }).error?.issues;
    expect(issues?.map(({ message }) => message)).toEqual([`page ${problem}`, `limit ${problem}`]);
  });
});
