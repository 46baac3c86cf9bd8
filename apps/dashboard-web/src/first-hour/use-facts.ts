import type { Environment } from '@pay/contracts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCall, useMay } from '../session/session-context';
import type { EnvironmentFacts, LiveFacts } from './progress';
import { useTestCases } from '../testing/use-test-cases';

/** Changes in another window must be visible without a reload. */
const REFETCH_MS = 10_000;
const MOST = '100';

export interface Found<Facts> {
  readonly facts: Facts;
  /** The first request that failed. */
  readonly failed: Pick<UseQueryResult, 'error' | 'refetch'> | undefined;
  readonly isPending: boolean;
}

/** The state of one environment, with the same requests as the pages of these objects. */
export function useEnvironmentFacts(environment: Environment): Found<EnvironmentFacts> {
  const call = useCall();
  const may = useMay();
  const query = { environment, limit: MOST };
  const receivers = useQuery({
    queryKey: ['receivers', environment],
    queryFn: ({ signal }) => call('listReceiverAccounts', { query }, signal),
    refetchInterval: REFETCH_MS,
  });
  const apiKeys = useQuery({
    queryKey: ['api-keys', environment],
    queryFn: ({ signal }) => call('listApiKeys', { query }, signal),
    enabled: may('listApiKeys'),
    refetchInterval: REFETCH_MS,
  });
  const endpoints = useQuery({
    queryKey: ['endpoints', environment, 'first-hour'],
    queryFn: ({ signal }) => call('listEndpoints', { query }, signal),
    refetchInterval: REFETCH_MS,
  });
  const paid = useQuery({
    queryKey: ['payments', environment, 'first-hour'],
    queryFn: ({ signal }) => call('listPayments', { query: { environment, status: 'PAID', limit: '1' } }, signal),
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
  const call = useCall();
  const live = useEnvironmentFacts('LIVE');
  const merchant = useQuery({ queryKey: ['merchant'], queryFn: ({ signal }) => call('getMerchant', {}, signal) });
  const own = useQuery({ queryKey: ['own-session'], queryFn: ({ signal }) => call('getOwnSession', {}, signal) });
  const devices = useQuery({
    queryKey: ['devices', 'LIVE'],
    queryFn: ({ signal }) => call('listDevices', { query: { environment: 'LIVE', limit: MOST } }, signal),
  });
  const testCases = useTestCases();
  const testRuns = useQuery({
    queryKey: ['test-runs', 'first-hour'],
    queryFn: ({ signal }) => call('listTestRuns', { query: { limit: MOST } }, signal),
  });
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
