import { Anchor, Text } from '@mantine/core';
import type { TestRun } from '@pay/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { ActionButton } from '../parts/action-button';
import { FailureAlert } from '../parts/page-states';
import { useCall, useOperation } from '../session/session-context';
import { placeOf } from '../parts/places';
import { useFirstHourWords } from './words';

const POLL_MS = 1_000;

interface PlayProps {
  readonly variant: 'filled' | 'default';
  /** False without a receiving number. */
  readonly isPossible: boolean;
}

/** Plays a usual payment with the configuration of the merchant, and shows its result. */
export function PlayOrder({ variant, isPossible }: PlayProps) {
  const { sandbox: w } = useFirstHourWords();
  const call = useCall();
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: () => call('runTestCase', { params: { key: 'paid-by-reference' }, body: {} }),
  });
  const id = start.data?.id ?? '';
  const run = useOperation(['test-runs', id], 'getTestRun', {
    params: { id },
    enabled: start.isSuccess,
    refetchInterval: (query) => (query.state.data?.status === 'ENDED' ? false : POLL_MS),
  });
  const hasEnded = run.data?.status === 'ENDED';
  useEffect(() => {
    if (hasEnded) void queries.invalidateQueries({ queryKey: ['payments'] });
  }, [hasEnded, queries]);
  const error = start.error ?? run.error;
  return (
    <>
      <ActionButton
        action={['runTestCase', 'SANDBOX']}
        variant={variant}
        disabled={!isPossible}
        loading={start.isPending || (start.isSuccess && !hasEnded && !run.isError)}
        onClick={() => start.mutate()}
      >
        {w.play}
      </ActionButton>
      {isPossible ? null : <Text size="sm">{w.receiverFirst}</Text>}
      <FailureAlert error={error} />
      {run.data !== undefined && hasEnded ? <Outcome run={run.data} /> : null}
    </>
  );
}

function Outcome({ run: { id, result, evidence } }: { readonly run: TestRun }) {
  const { sandbox: w } = useFirstHourWords();
  const [paymentId] = evidence.paymentIntentIds;
  return result === 'PASSED' && paymentId !== undefined ? (
    <Text size="sm" role="status">
      {w.played}{' '}
      <Anchor component={Link} href={placeOf('SANDBOX', 'payments', paymentId)} inherit>
        {w.showPayment}
      </Anchor>
    </Text>
  ) : (
    <Text size="sm" role="status">
      {w.notPlayed}{' '}
      <Anchor component={Link} href={placeOf('SANDBOX', 'testing', 'cases', id)} inherit>
        {w.showRun}
      </Anchor>
    </Text>
  );
}
