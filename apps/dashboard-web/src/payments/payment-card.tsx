import { Group, Text } from '@mantine/core';
import type { Environment, PaymentSummary } from '@pay/contracts';
import type { ReactNode } from 'react';
import { StatusBadge } from '../parts/status-badge';
import { RowLink } from '../parts/table-or-cards';
import { placeOf } from '../parts/places';
import { Caption } from '../parts/typography';
import { useWords } from '../text/language';

type Shown = Pick<PaymentSummary, 'id' | 'amount' | 'status' | 'customerReference' | 'merchantReference'>;

interface CardProps {
  readonly environment: Environment;
  readonly payment: Shown;
  /** The last line. */
  readonly children: ReactNode;
}

/** A payment in a few lines. */
export function PaymentCard({ environment, payment, children }: CardProps) {
  const { money } = useWords();
  return (
    <>
      <Group justify="space-between" wrap="nowrap">
        <RowLink href={placeOf(environment, 'payments', payment.id)} isCard>
          {money(payment.amount)}
        </RowLink>
        <StatusBadge status={payment.status} />
      </Group>
      <Text size="sm">
        <span className="identifier">{payment.customerReference}</span>
        {payment.merchantReference === null ? '' : ` · ${payment.merchantReference}`}
      </Text>
      <Caption>{children}</Caption>
    </>
  );
}
