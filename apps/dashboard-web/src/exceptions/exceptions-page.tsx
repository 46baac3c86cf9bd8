import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { Environment, ExceptionKind } from '@pay/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { PageHead } from '../parts/page-head';
import { Message, PageFailure, PageLoading } from '../parts/page-states';
import { useCall } from '../session/session-context';
import { useWords } from '../text/language';
import { ExceptionList } from './exception-list';

const REFETCH_MS = 15_000;
const PAGE_SIZE = '25';

/** The queue of payments that need a decision. Filters are part of the address. */
export default function ExceptionsPage({ environment }: { readonly environment: Environment }) {
  const { t, count } = useWords();
  const call = useCall();
  const [search, setSearch] = useSearchParams();
  const status = search.get('status') === 'CLOSED' ? 'CLOSED' : 'OPEN';
  const kind = search.get('kind') ?? '';
  const order = search.get('order') === 'newest' || status === 'CLOSED' ? 'newest' : 'oldest';
  const query = {
    environment,
    status,
    order,
    limit: PAGE_SIZE,
    ...(kind === '' || status === 'CLOSED' ? {} : { kind }),
  };

  const list = useInfiniteQuery({
    queryKey: ['exceptions', query],
    queryFn: ({ pageParam, signal }) =>
      call('listExceptions', { query: pageParam === null ? query : { ...query, after: pageParam } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: REFETCH_MS,
  });
  const choose = (name: string, value: string) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  const first = list.data?.pages[0];
  const items = list.data?.pages.flatMap(({ data }) => data) ?? [];

  return (
    <>
      <PageHead title={t.exceptions.title} subtitle={t.exceptions.subtitle}>
        {first === undefined ? null : (
          <Text c="dimmed">{t.exceptions.total(count(first.total), first.totalIsExact)}</Text>
        )}
      </PageHead>
      <Group mb="md" gap="sm" align="flex-end">
        <NativeSelect
          label={t.exceptions.filterStatus}
          value={status}
          onChange={(event) => choose('status', event.currentTarget.value)}
          data={[
            { value: 'OPEN', label: t.exceptions.open },
            { value: 'CLOSED', label: t.exceptions.closed },
          ]}
        />
        <NativeSelect
          label={t.exceptions.filterKind}
          value={kind}
          disabled={status === 'CLOSED'}
          onChange={(event) => choose('kind', event.currentTarget.value)}
          data={[
            { value: '', label: t.exceptions.all },
            ...(Object.keys(t.kinds) as ExceptionKind[]).map((value) => ({ value, label: t.kinds[value] })),
          ]}
        />
        <NativeSelect
          label={t.exceptions.order}
          value={order}
          disabled={status === 'CLOSED'}
          onChange={(event) => choose('order', event.currentTarget.value)}
          data={[
            { value: 'oldest', label: t.exceptions.oldest },
            { value: 'newest', label: t.exceptions.newest },
          ]}
        />
      </Group>
      {list.isPending ? (
        <PageLoading />
      ) : list.isError && first === undefined ? (
        <PageFailure error={list.error} retry={() => void list.refetch()} />
      ) : items.length === 0 ? (
        kind === '' && status === 'OPEN' ? (
          <Message title={t.exceptions.empty}>{t.exceptions.emptyText}</Message>
        ) : (
          <Message title={t.exceptions.emptyFiltered} />
        )
      ) : (
        <Stack>
          <ExceptionList environment={environment} items={items} />
          {list.hasNextPage ? (
            <Group justify="center">
              <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {t.states.more}
              </Button>
            </Group>
          ) : null}
        </Stack>
      )}
    </>
  );
}
