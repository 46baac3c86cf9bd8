import type { Environment } from '@pay/contracts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useWholeList } from '../parts/numbered-pages';
import { useMay, useOperation } from '../session/session-context';
import type { EnvironmentFacts, LiveFacts } from './progress';
import { useTestCases } from '../testing/use-test-cases';

/** Changes in another window must be visible without a reload. */
const REFETCH_MS = 10_000;
const MOST_RUNS = '100';

export interface Found<Facts> {
  readonly facts: Facts;
  /** The first request that failed. */
  readonly failed: Pick<UseQueryResult, 'error' | 'refetch'> | undefined;
  readonly isPending: boolean;
}

/** The state of one environment, with the same requests as the pages of these objects. */
export function useEnvironmentFacts(environment: Environment): Found<EnvironmentFacts> {
  const may = useMay();
  const query = { environment };
  const receivers = useWholeList(['receivers', environment], 'listReceiverAccounts', {
    query,
    refetchInterval: REFETCH_MS,
  });
  const apiKeys = useWholeList(['api-keys', environment], 'listApiKeys', {
    query,
    enabled: may('listApiKeys'),
    refetchInterval: REFETCH_MS,
  });
  const endpoints = useWholeList(['endpoints', environment, 'first-hour'], 'listEndpoints', {
    query,
    refetchInterval: REFETCH_MS,
  });
  const paid = useOperation(['payments', environment, 'first-hour'], 'listPayments', {
    query: { environment, status: 'PAID', limit: '1' },
    refetchInterval: REFETCH_MS,
  });
  return {
    facts: {
      receivers: receivers.data?.data,
      apiKeys: apiKeys.data?.data,
      endpoints: endpoints.data?.data,
      paid: paid.data?.total,
    },
    failed: [receivers, apiKeys, endpoints, paid].find(isFailed),
    isPending: [receivers, apiKeys, endpoints, paid].some(({ isLoading }) => isLoading),
  };
}

/** What else must hold before real money is taken. */
export function useLiveFacts(): Found<LiveFacts> {
  const live = useEnvironmentFacts('LIVE');
  const merchant = useOperation(['merchant'], 'getMerchant', {});
  const own = useOperation(['own-session'], 'getOwnSession', {});
  const devices = useWholeList(['devices', 'LIVE'], 'listDevices', { query: { environment: 'LIVE' } });
  const testCases = useTestCases();
  const testRuns = useOperation(['test-runs', 'first-hour'], 'listTestRuns', { query: { limit: MOST_RUNS } });
  const queries = [merchant, own, devices, testCases, testRuns];
  return {
    facts: {
      ...live.facts,
      support: merchant.data?.support,
      hasSecondFactor: own.data?.user.twoFactorEnabled,
      devices: devices.data?.data,
      testRuns: testRuns.data?.data,
      testCases: testCases.data?.data.map(({ key }) => key),
    },
    failed: live.failed ?? queries.find(isFailed),
    isPending: live.isPending || queries.some(({ isLoading }) => isLoading),
  };
}

function isFailed({ isError, data }: Pick<UseQueryResult, 'isError' | 'data'>): boolean {
  return isError && data === undefined;
}
