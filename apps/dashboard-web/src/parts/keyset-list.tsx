import { Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWords } from '../text/language';
import { Message, PageFailure, PageLoading } from './page-states';

/** Changes are announced by a stream; this is for the time without one. */
const REFETCH_MS = 60_000;
/** Rows of one page of a list. */
export const PAGE_SIZE = '25';

interface Page<Item> {
  readonly data: readonly Item[];
  readonly nextCursor: string | null;
  readonly total: number;
  readonly totalIsExact: boolean;
}
type Load<Item> = (page: { readonly after?: string }, signal: AbortSignal) => Promise<Page<Item>>;

/**
 * A list that is loaded page by page from the last row shown, and again after some time, once a minute unless given.
 */
export function useKeysetList<Item>(queryKey: readonly unknown[], load: Load<Item>, refetchMs = REFETCH_MS) {
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam === null ? {} : { after: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: refetchMs,
  });
  /** Aborts a running reload, so the list is loaded again afterwards with the changes that it was to show. */
  const showMore = async () => {
    const isReloading = queries.isFetching({ queryKey, exact: true }) > 0;
    await query.fetchNextPage();
    if (isReloading) await query.refetch();
  };
  const more = { isLoading: query.isFetchingNextPage, show: showMore };
  return { query, more, first: query.data?.pages[0], items: query.data?.pages.flatMap(({ data }) => data) ?? [] };
}
export type KeysetListState<Item> = ReturnType<typeof useKeysetList<Item>>;

interface ListProps<Item> {
  readonly list: KeysetListState<Item>;
  /** Shown instead of an empty list. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** The rows of a list with a button for more, or a placeholder while it loads, after a failure and without rows. */
export function KeysetList<Item>({ list: { query, more, first, items }, empty, children }: ListProps<Item>) {
  const { t } = useWords();
  if (query.isPending) return <PageLoading />;
  if (query.isError && first === undefined) {
    return <PageFailure error={query.error} retry={() => void query.refetch()} />;
  }
  // A page of a filtered list can be empty although later pages are not.
  if (items.length === 0 && !query.hasNextPage) return empty;
  return (
    <Stack>
      {items.length === 0 ? <Message title={t.states.nothingSoFar} /> : children(items)}
      {query.hasNextPage ? (
        <Group justify="center">
          <Button variant="default" loading={more.isLoading} onClick={() => void more.show()}>
            {t.states.more}
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}

/** How many rows the whole list has, as far as it is known. */
export function ListTotal<Item>({ list: { first } }: { readonly list: KeysetListState<Item> }) {
  const { t, count } = useWords();
  if (first === undefined) return null;
  return <Text c="dimmed">{t.exceptions.total(count(first.total), first.totalIsExact)}</Text>;
}
