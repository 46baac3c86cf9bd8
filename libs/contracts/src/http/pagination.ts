import { z } from 'zod';

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

const HIGHEST = 999_999_999;
const positive = (name: string) =>
  z
    .string({ error: `${name} must be given only once` })
    .regex(/^[1-9]\d{0,8}$/, `${name} must be a whole number from 1 to ${HIGHEST}`)
    .transform(Number);

/** `page` from 1, `limit` default 20. A limit above 100 is treated as 100, and the response states the limit used. */
export const pageQuerySchema = z.object({
  page: positive('page').default(1).meta({ type: 'integer', minimum: 1, maximum: HIGHEST, default: 1 }),
  limit: positive('limit')
    .default(DEFAULT_PAGE_SIZE)
    .transform((limit) => Math.min(limit, MAX_PAGE_SIZE))
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: HIGHEST,
      default: DEFAULT_PAGE_SIZE,
      description: `Rows per page; a value above ${MAX_PAGE_SIZE} is treated as ${MAX_PAGE_SIZE}.`,
    }),
});

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
}

/** Response of every list (spec section 2.9). */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    data: z.array(row),
    total: z.int().nonnegative(),
    page: z.int().positive(),
    limit: z.int().positive(),
  });
}
