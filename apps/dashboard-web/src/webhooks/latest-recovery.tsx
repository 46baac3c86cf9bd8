import { Text } from '@mantine/core';
import { Time } from '../parts/facts';
import { useOperation } from '../session/session-context';
import { useWords } from '../text/language';
import { useWebhookWords } from './words';

const REFETCH_WHILE_RUNNING_MS = 2_000;

/** How far the latest recovery of an endpoint is, if there was one. */
export function LatestRecovery({ id }: { readonly id: string }) {
  const w = useWebhookWords();
  const { count } = useWords();
  const latest = useOperation(['endpoints', 'recovery', id], 'getEndpointRecovery', {
    params: { id },
    refetchInterval: (query) => (query.state.data?.recovery?.status === 'RUNNING' ? REFETCH_WHILE_RUNNING_MS : false),
  });
  const recovery = latest.data?.recovery ?? null;
  if (recovery === null) return null;
  const { since, status, redelivered, created } = recovery;
  return (
    <Text mb="md" role="status">
      {w.recovery} (<Time at={since} />
      ): {w.recoveryState[status]} · {w.recoveryCounts(count(redelivered), count(created))}
    </Text>
  );
}
