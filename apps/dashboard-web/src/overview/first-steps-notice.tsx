import { Alert, Anchor } from '@mantine/core';
import type { Environment } from '@pay/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useCall, useMay } from '../session/session-context';
import { placeOf } from '../shell/places';
import { useWords } from '../text/language';

/** Shown to users who configure the shop, until there is an order. */
export function FirstStepsNotice({ environment }: { readonly environment: Environment }) {
  const { t } = useWords();
  const call = useCall();
  const may = useMay();
  const orders = useQuery({
    queryKey: ['payments', environment, 'first-order'],
    queryFn: ({ signal }) => call('listPayments', { query: { environment, limit: '1' } }, signal),
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
