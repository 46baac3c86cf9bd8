import { Table, type TableProps } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Column<Item> {
  readonly title: string;
  readonly cell: (item: Item) => ReactNode;
  readonly isNumber?: boolean;
  readonly isIdentifier?: boolean;
  readonly isBold?: boolean;
}

interface DataTableProps<Item> extends TableProps {
  readonly items: readonly Item[];
  readonly columns: readonly Column<Item>[];
}

export function DataTable<Item extends { readonly id: number | string }>(props: DataTableProps<Item>) {
  const { items, columns, ...table } = props;
  const align = ({ isNumber = false }: Column<Item>) => (isNumber ? { ta: 'right' as const } : {});
  return (
    <Table {...table}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column, at) => (
            <Table.Th key={at} {...align(column)}>
              {column.title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((item) => (
          <Table.Tr key={item.id}>
            {columns.map((column, at) => (
              <Table.Td
                key={at}
                {...align(column)}
                {...(column.isIdentifier ? { className: 'identifier' } : {})}
                {...(column.isBold ? { fw: 600 } : {})}
              >
                {column.cell(item)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
