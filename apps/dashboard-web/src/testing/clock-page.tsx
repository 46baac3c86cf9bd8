import { Group, NativeSelect, Paper, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { controlled, optionsOf } from '../parts/form';
import { Facts, Time } from '../parts/facts';
import { FormDialog } from '../parts/form-dialog';
import { newId } from '../parts/new-id';
import { PageHead } from '../parts/page-head';
import { NoPermission, Pending } from '../parts/page-states';
import { ToneBadge } from '../parts/tone-badge';
import { ActionButton } from '../parts/action-button';
import { SectionTabs } from '../parts/section-pages';
import { useCall, useMay, useOperation } from '../session/session-context';
import { useWords } from '../text/language';
import { useTestingWords } from './words';

const POLL_ADVANCING_MS = 1_000;
const POLL_READY_MS = 15_000;

/** Lets time pass for the SANDBOX data of the merchant. */
export function ClockPage() {
  const { clock: w } = useTestingWords();
  const may = useMay();
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle} />
      <SectionTabs />
      {may('getTestClock', 'SANDBOX') ? <Clock /> : <NoPermission />}
    </>
  );
}

function Clock() {
  const { clock: w } = useTestingWords();
  const { count } = useWords();
  const [asking, setAsking] = useState<'advance' | 'reset'>();
  const found = useOperation(['test-clock'], 'getTestClock', {
    refetchInterval: (query) => (query.state.data?.status === 'advancing' ? POLL_ADVANCING_MS : POLL_READY_MS),
  });
  if (found.data === undefined) return <Pending query={found} />;
  const { status, now, advancedSeconds, pending } = found.data;
  const seconds = (value: number) => w.seconds(count(Math.round(value)));
  return (
    <Paper withBorder p="md">
      <div role="status">
        <ToneBadge tone={status === 'ready' ? 'good' : 'warning'}>{w[status]}</ToneBadge>
        {pending === null ? null : (
          <Text mt="sm">
            {w.waitsFor}: {w.waits[pending.waitsFor]} · {w.left}: {seconds(pending.secondsLeft)}
          </Text>
        )}
      </div>
      <Facts
        facts={[
          { name: w.title, value: <Time at={now} /> },
          { name: w.advanced, value: seconds(advancedSeconds) },
        ]}
      />
      <Group mt="md">
        <ActionButton
          action={['advanceTestClock', 'SANDBOX']}
          disabled={status === 'advancing'}
          onClick={() => setAsking('advance')}
        >
          {w.advance}
        </ActionButton>
        <ActionButton action={['resetTestClock', 'SANDBOX']} variant="default" onClick={() => setAsking('reset')}>
          {w.reset}
        </ActionButton>
      </Group>
      {asking === undefined ? null : <ClockDialog key={asking} action={asking} onClose={() => setAsking(undefined)} />}
    </Paper>
  );
}

interface DialogProps {
  readonly action: 'advance' | 'reset';
  readonly onClose: () => void;
}

function ClockDialog({ action, onClose }: DialogProps) {
  const { clock: w } = useTestingWords();
  const call = useCall();
  const queries = useQueryClient();
  const [by, setBy] = useState('300');
  // The same id until there is an answer: an advance whose response was lost is made once.
  const requestId = useRef(newId());
  const apply = useMutation({
    mutationFn: () =>
      action === 'advance'
        ? call('advanceTestClock', { body: { seconds: Number(by), requestId: requestId.current } })
        : call('resetTestClock', { body: {} }),
    onSuccess: (clock) => {
      queries.setQueryData(['test-clock'], clock);
      void queries.invalidateQueries({ queryKey: ['payments'] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={action === 'advance' ? w.advance : w.reset}
      consequences={action === 'advance' ? w.advanceText : w.resetText}
      isDestructive={action === 'advance'}
      action={apply}
      onClose={onClose}
    >
      {action === 'advance' ? (
        <NativeSelect label={w.by} {...controlled(by, setBy)} data={optionsOf(w.presets)} />
      ) : null}
    </FormDialog>
  );
}
