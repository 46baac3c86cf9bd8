import { Anchor, Group, Paper, Table, Text } from '@mantine/core';
import type { Environment, ExceptionResponse } from '@pay/contracts';
import { Link } from 'wouter';
import { None, Time } from '../parts/facts';
import { StatusBadge } from '../parts/status-badge';
import { placeOf } from '../shell/places';
import { useWords } from '../text/language';

interface ListProps {
  readonly environment: Environment;
  readonly items: readonly ExceptionResponse[];
}

/** A table on wide screens and cards on phones. */
export function ExceptionList({ environment, items }: ListProps) {
  const { t, ago } = useWords();
  const link = (item: ExceptionResponse) => placeOf(environment, 'exceptions', item.id);
  return (
    <>
      <Paper withBorder visibleFrom="md">
        <Table verticalSpacing="sm" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.fields.kind}</Table.Th>
              <Table.Th>{t.fields.received}</Table.Th>
              <Table.Th>{t.fields.expected}</Table.Th>
              <Table.Th>{t.fields.method}</Table.Th>
              <Table.Th>{t.fields.status}</Table.Th>
              <Table.Th>{t.fields.waiting}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((item) => (
              <Table.Tr key={item.id}>
                <Table.Td>
                  <Anchor component={Link} href={link(item)} fw={600}>
                    <Kind item={item} />
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <Amount amount={item.receivedAmount} />
                </Table.Td>
                <Table.Td>
                  <Amount amount={item.expectedAmount} />
                </Table.Td>
                <Table.Td>{item.money === null ? <None /> : t.methods[item.money.paymentMethod]}</Table.Td>
                <Table.Td>
                  {item.intentStatus === null ? <None /> : <StatusBadge status={item.intentStatus} />}
                </Table.Td>
                <Table.Td>
                  {ago(item.createdAt)}
                  <Text size="xs" c="dimmed">
                    <Time at={item.createdAt} />
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      <Paper component="ul" className="card-list" hiddenFrom="md" bg="transparent">
        {items.map((item) => (
          <Paper key={item.id} component="li" withBorder p="sm" mb="xs">
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Anchor component={Link} href={link(item)} fw={600} py={8}>
                <Kind item={item} />
              </Anchor>
              <Text fw={600} py={8}>
                <Amount amount={item.receivedAmount} />
              </Text>
            </Group>
            <Group justify="space-between" gap="xs">
              <Text size="sm" c="dimmed">
                {item.money === null ? '' : t.methods[item.money.paymentMethod]} · {ago(item.createdAt)}
              </Text>
              {item.intentStatus === null ? null : <StatusBadge status={item.intentStatus} />}
            </Group>
          </Paper>
        ))}
      </Paper>
    </>
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
