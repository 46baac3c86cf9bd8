import { Group, Text } from '@mantine/core';
import type { Environment, ExceptionResponse } from '@pay/contracts';
import { None } from '../parts/facts';
import { StatusBadge } from '../parts/status-badge';
import { Ago, RowLink, TableOrCards } from '../parts/table-or-cards';
import { placeOf } from '../parts/places';
import { Caption } from '../parts/typography';
import { useWords } from '../text/language';

interface ListProps {
  readonly environment: Environment;
  readonly items: readonly ExceptionResponse[];
}

export function ExceptionList({ environment, items }: ListProps) {
  const { t, ago } = useWords();
  const link = ({ id }: ExceptionResponse) => placeOf(environment, 'exceptions', id);
  return (
    <TableOrCards
      items={items}
      columns={[
        {
          title: t.fields.kind,
          cell: (item) => (
            <RowLink href={link(item)}>
              <Kind item={item} />
            </RowLink>
          ),
        },
        {
          title: t.fields.reference,
          cell: ({ money }) => (money?.reference ? <span className="identifier">{money.reference}</span> : <None />),
        },
        { title: t.fields.received, cell: ({ receivedAmount }) => <Amount amount={receivedAmount} /> },
        { title: t.fields.expected, cell: ({ expectedAmount }) => <Amount amount={expectedAmount} /> },
        { title: t.fields.method, cell: ({ money }) => (money === null ? <None /> : t.methods[money.paymentMethod]) },
        {
          title: t.fields.status,
          cell: ({ intentStatus }) => (intentStatus === null ? <None /> : <StatusBadge status={intentStatus} />),
        },
        { title: t.fields.waiting, cell: ({ createdAt }) => <Ago at={createdAt} /> },
      ]}
      card={(item) => (
        <>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <RowLink href={link(item)} isCard>
              <Kind item={item} />
            </RowLink>
            <Text fw={600} py={8}>
              <Amount amount={item.receivedAmount} />
            </Text>
          </Group>
          <Group justify="space-between" gap="xs">
            <Caption>
              {[
                ...(item.money === null ? [] : [t.methods[item.money.paymentMethod]]),
                ...(item.money?.reference ? [item.money.reference] : []),
                ago(item.createdAt),
              ].join(' · ')}
            </Caption>
            {item.intentStatus === null ? null : <StatusBadge status={item.intentStatus} />}
          </Group>
        </>
      )}
    />
  );
}

function Kind({ item }: { readonly item: ExceptionResponse }) {
  const { t } = useWords();
  return item.kind === null ? <span>{t.exceptions.closed}</span> : t.kinds[item.kind];
}

function Amount({ amount }: { readonly amount: string | null }) {
  const { money } = useWords();
  return amount === null ? <None /> : <span>{money(amount)}</span>;
}
