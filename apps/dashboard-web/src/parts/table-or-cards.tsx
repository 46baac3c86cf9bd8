import { Anchor, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useWords } from '../text/language';
import { DataTable, type Column } from './data-table';
import { Time } from './facts';

interface ListProps<Item> {
  readonly items: readonly Item[];
  readonly columns: readonly Column<Item>[];
  readonly card: (item: Item) => ReactNode;
}

/** A table on wide screens and cards on phones. */
export function TableOrCards<Item extends { readonly id: string }>({ items, columns, card }: ListProps<Item>) {
  return (
    <>
      <Paper withBorder visibleFrom="md">
        <DataTable items={items} columns={columns} verticalSpacing="sm" highlightOnHover />
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
