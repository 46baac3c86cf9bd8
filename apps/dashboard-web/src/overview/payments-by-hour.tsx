import { Group, NativeSelect, Paper, Skeleton, Text } from '@mantine/core';
import type { PaymentMethod, PaymentStatistics } from '@pay/contracts';
import { lazy, Suspense, useMemo, useState } from 'react';
import { DataTable } from '../parts/data-table';
import { Message } from '../parts/page-states';
import { TableOrCards } from '../parts/table-or-cards';
import { Caption, Heading } from '../parts/typography';
import { useWords } from '../text/language';
import { paidByHour, rowsByMethod } from './compare-days';

const HoursChart = lazy(() => import('./hours-chart'));

/** Today beside the same weekday of the week before: as a chart, as a table of hours, and by method. */
export function PaymentsByHour({ statistics }: { readonly statistics: PaymentStatistics }) {
  const { t, count, day, hour } = useWords();
  const [method, setMethod] = useState<PaymentMethod>();
  const { today, weekBefore } = statistics;
  const [now, before] = useMemo(
    () => [paidByHour(today, method), paidByHour(weekBefore, method)] as const,
    [today, weekBefore, method],
  );
  const rows = rowsByMethod(statistics, Object.keys(t.methods) as PaymentMethod[]);
  if (rows.length === 0) return <Message title={t.overview.empty}>{t.overview.emptyText}</Message>;

  return (
    <>
      <Paper withBorder p="md" mt="md" component="section">
        <Group justify="space-between" align="flex-end" mb="xs">
          <div>
            <Heading>{t.overview.chart}</Heading>
            <Caption>{t.overview.chartText}</Caption>
          </div>
          <NativeSelect
            label={t.fields.method}
            value={method ?? ''}
            onChange={(event) => setMethod((event.currentTarget.value || undefined) as PaymentMethod | undefined)}
            data={[
              { value: '', label: t.overview.allMethods },
              ...rows.map(({ paymentMethod }) => ({ value: paymentMethod, label: t.methods[paymentMethod] })),
            ]}
          />
        </Group>
        <Group gap="md" mb={4}>
          <Text size="sm" className="chart-key" data-series="today">
            {t.overview.today}
          </Text>
          <Text size="sm" className="chart-key" data-series="week-before">
            {t.overview.weekBefore(day(weekBefore.date))}
          </Text>
        </Group>
        <Suspense fallback={<Skeleton height={220} radius="md" />}>
          <HoursChart today={now} weekBefore={before} />
        </Suspense>
        <details>
          <summary>{t.overview.asTable}</summary>
          <DataTable
            items={now.map((paid, at) => ({ id: at, paid, paidBefore: before[at] ?? 0 }))}
            columns={[
              { title: t.overview.hour, cell: ({ id }) => hour(id) },
              { title: t.overview.today, cell: ({ paid }) => count(paid), isNumber: true },
              { title: day(weekBefore.date), cell: ({ paidBefore }) => count(paidBefore), isNumber: true },
            ]}
            verticalSpacing={4}
            mt="xs"
          />
        </details>
      </Paper>
      <ByMethod rows={rows} />
    </>
  );
}

function ByMethod({ rows }: { readonly rows: ReturnType<typeof rowsByMethod> }) {
  const { t, count, money } = useWords();
  type Row = (typeof rows)[number];
  const columns = [
    { title: t.fields.method, cell: ({ paymentMethod }: Row) => t.methods[paymentMethod] },
    { title: t.overview.orders, cell: ({ orders }: Row) => count(orders), isNumber: true },
    { title: t.overview.paidOrders, cell: ({ paid }: Row) => count(paid), isNumber: true },
    { title: t.overview.receivedToday, cell: ({ receivedToday }: Row) => money(receivedToday), isNumber: true },
    {
      title: t.overview.receivedWeekBefore,
      cell: ({ receivedWeekBefore }: Row) => money(receivedWeekBefore),
      isNumber: true,
    },
  ];
  const [method, ...numbers] = columns;
  return (
    <section>
      <Heading mt="md" mb="xs">
        {t.overview.byMethod}
      </Heading>
      <TableOrCards
        items={rows.map((row) => ({ ...row, id: row.paymentMethod }))}
        columns={columns}
        card={(row) => (
          <>
            <Text fw={600}>{method?.cell(row)}</Text>
            {numbers.map(({ title, cell }) => (
              <Group key={title} justify="space-between" gap="xs">
                <Caption>{title}</Caption>
                <Text size="sm">{cell(row)}</Text>
              </Group>
            ))}
          </>
        )}
      />
    </section>
  );
}
