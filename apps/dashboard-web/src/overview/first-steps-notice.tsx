import { Alert, Anchor } from '@mantine/core';
import type { Environment } from '@pay/contracts';
import { Link } from 'wouter';
import { useMay, useOperation } from '../session/session-context';
import { placeOf } from '../parts/places';
import { useWords } from '../text/language';

/** Shown to users who configure the shop, until there is an order. */
export function FirstStepsNotice({ environment }: { readonly environment: Environment }) {
  const { t } = useWords();
  const may = useMay();
  const orders = useOperation(['payments', environment, 'first-order'], 'listPayments', {
    query: { environment, limit: '1' },
    enabled: may('runTestCase', 'SANDBOX'),
  });
  if (orders.data?.total !== 0) return null;
  return (
    <Alert mb="md">
      {t.overview.noOrder}{' '}
      <Anchor component={Link} href={placeOf(environment, 'first-hour')} c="inherit" inherit underline="always">
        {t.overview.firstSteps}
      </Anchor>
    </Alert>
  );
}
