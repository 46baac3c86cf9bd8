import { useQuery, type QueryKey, type UseQueryResult } from '@tanstack/react-query';
import type { OperationId, Output } from '../api/operations';
import { useCall, type Request } from '../session/session-context';

const LARGEST_PAGE = 100;

interface NumberedPage<Item> {
  readonly data: readonly Item[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
}

/** A page of a list with page numbers, for `useKeysetList`: the number of the next page is its cursor. */
export function asKeysetPage<Item>({ data, total, page, limit }: NumberedPage<Item>) {
  return { data, total, totalIsExact: true, nextCursor: page * limit < total ? String(page + 1) : null };
}

type NumberedListId = { [Id in OperationId]: Output<Id> extends NumberedPage<unknown> ? Id : never }[OperationId];

/** All items of a list with page numbers, for counts and choices that must not miss one. */
export function useWholeList<Id extends NumberedListId>(
  queryKey: QueryKey,
  id: Id,
  request: Request<Id>,
): UseQueryResult<Output<Id>> {
  const call = useCall() as (id: Id, input: object, signal: AbortSignal) => Promise<NumberedPage<unknown>>;
  return useQuery({
    ...request,
    queryKey,
    queryFn: async ({ signal }) => {
      const data: unknown[] = [];
      for (let page = 1; ; page += 1) {
        const query = { ...request.query, limit: String(LARGEST_PAGE), page: String(page) };
        const answer = await call(id, { query }, signal);
        data.push(...answer.data);
        if (page * LARGEST_PAGE >= answer.total) return { ...answer, data } as Output<Id>;
      }
    },
  });
}
