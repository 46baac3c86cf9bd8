import { Anchor, Paper, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useWords } from '../text/language';
import { Time } from './facts';

export interface Column<Item> {
  readonly title: string;
  readonly cell: (item: Item) => ReactNode;
  readonly isNumber?: boolean;
}

interface ListProps<Item> {
  readonly items: readonly Item[];
  readonly columns: readonly Column<Item>[];
  readonly card: (item: Item) => ReactNode;
}

/** A table on wide screens and cards on phones. */
export function TableOrCards<Item extends { readonly id: string }>({ items, columns, card }: ListProps<Item>) {
  const align = ({ isNumber = false }: Column<Item>) => (isNumber ? { ta: 'right' as const } : {});
  return (
    <>
      <Paper withBorder visibleFrom="md">
        <Table verticalSpacing="sm" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column.title} {...align(column)}>
                  {column.title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((item) => (
              <Table.Tr key={item.id}>
                {columns.map((column) => (
                  <Table.Td key={column.title} {...align(column)}>
                    {column.cell(item)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      <Paper component="ul" className="card-list" hiddenFrom="md" bg="transparent">
        {items.map((item) => (
          <Paper key={item.id} component="li" withBorder p="sm" mb="xs">
            {card(item)}
          </Paper>
        ))}
      </Paper>
    </>
  );
}

/** The link to the page of a row, tall enough for a finger in a card. */
export function RowLink({ href, isCard = false, children }: { href: string; isCard?: boolean; children: ReactNode }) {
  return (
    <Anchor component={Link} href={href} fw={600} {...(isCard ? { py: 8 } : {})}>
      {children}
    </Anchor>
  );
}

/** How long ago, with the time below it. */
export function Ago({ at }: { readonly at: string }) {
  const { ago } = useWords();
  return (
    <>
      {ago(at)}
      <Text size="xs" c="dimmed">
        <Time at={at} />
      </Text>
    </>
  );
}
